/** The address of a model: what a person typed -> where requests go. The test button and the chat both come here. */

export type BaseUrl = { ok: true; url: string } | { ok: false; message: string };

/** Where an SDK client is pointed: its base and the query that every request repeats. */
export interface Endpoint {
  base: string;
  query: Record<string, string>;
}

const OPERATION = /\/chat\/completions$/;

/**
 * Tidies a base URL: surrounding blanks, trailing slashes and a pasted `/chat/completions` go, a bare host gets `/v1`,
 * a query stays. Refuses, with a sentence for the person, what is not an http(s) address or carries a password.
 */
export function normaliseBaseUrl(given: string): BaseUrl {
  const text = given.trim();
  if (text === "") return { ok: false, message: "The base URL is empty." };
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text)) {
    return { ok: false, message: "The base URL needs to start with http:// or https://." };
  }
  if (!URL.canParse(text)) return { ok: false, message: "The base URL is not a valid address." };
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { ok: false, message: "The base URL must be an http:// or https:// address." };
  }
  if (url.username || url.password) {
    return { ok: false, message: "The base URL must not contain a user name or a password; use the API key field." };
  }
  const path = url.pathname
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "")
    .replace(OPERATION, "");
  return { ok: true, url: `${url.origin}${path || "/v1"}${url.search}` };
}

/** Splits a tidied base URL, so that paths are joined before its query. */
export function endpoint(normalised: string): Endpoint {
  const url = new URL(normalised);
  return { base: `${url.origin}${url.pathname}`, query: Object.fromEntries(url.searchParams) };
}
