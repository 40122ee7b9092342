/** The address of a model: what a person typed -> where requests go. The test button and the chat both come here. */
import type { ClientType } from "../../lib/model/protocol";

export type BaseUrl = { ok: true; url: string } | { ok: false; message: string };

/** Where an SDK client is pointed: its base and the query that every request repeats. */
export interface Endpoint {
  base: string;
  query: Record<string, string>;
}

interface Shape {
  /** Ends of a path that name an operation, not a place: pasted whole addresses. */
  operation: RegExp;
  /** What a bare host gets; the vendors' packages for the others add their version themselves. */
  bare: string;
}

const OPENAI: Shape = { operation: /\/(chat\/completions|responses)$/, bare: "/v1" };
const SHAPES: Record<ClientType, Shape> = {
  "openai-chat": OPENAI,
  "openai-responses": OPENAI,
  "anthropic-messages": { operation: /(\/v1)?(\/messages(\/count_tokens)?)?$/, bare: "" },
  gemini: { operation: /(\/v1(beta|alpha)?)?(\/models(\/[^/]*:[A-Za-z]+)?)?$/, bare: "" },
};

/**
 * Tidies a base URL: surrounding blanks, trailing slashes and a pasted operation (`/chat/completions`, `/v1/messages`
 * …) go, a query stays. The result is what the protocol's package is pointed at: for the OpenAI ones it ends with the
 * version (a bare host gets `/v1`), for Anthropic and Gemini it stands before the version. Refuses, with a sentence
 * for the person, what is not an http(s) address or carries a password.
 */
export function normaliseBaseUrl(given: string, protocol: ClientType = "openai-chat"): BaseUrl {
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
  const { operation, bare } = SHAPES[protocol];
  const path = url.pathname
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "")
    .replace(operation, "");
  return { ok: true, url: `${url.origin}${path || bare}${url.search}` };
}

/** Splits a tidied base URL, so that paths are joined before its query. */
export function endpoint(normalised: string): Endpoint {
  const url = new URL(normalised);
  return { base: `${url.origin}${url.pathname.replace(/\/$/, "")}`, query: Object.fromEntries(url.searchParams) };
}
