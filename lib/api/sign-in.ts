/** Signing in and out in the browser: the credentials flow of next-auth with its CSRF token, over fetch. */
import { type ApiFailure, networkFailure, type Result, resultOf } from "./client";
import { SSO_PROBLEMS, type SsoProblem } from "./team-values";

/** What went wrong: wrong fields, too many tries, or any other failure. */
export type SignInFailure = "wrong" | "too_many" | "failed" | "network";

/** Signs in; null when it worked. */
export async function signIn(user: string, password: string): Promise<SignInFailure | null> {
  const answer = await postForm("/api/auth/callback/credentials", { user, password, json: "true" });
  if (!answer.ok) return answer.error.code === "network" ? "network" : refusal(answer.error);
  // A refusal may also come as 200 with an address that names the error.
  return errorOf(answer.data) ? "wrong" : null;
}

export type SignInProblem = SignInFailure | SsoProblem;

/** The `error` in the address of the sign-in page; null: none that says anything. */
export function problemOf(error: string | undefined): SignInProblem | null {
  const sso = SSO_PROBLEMS.find((known) => known === error);
  if (sso) return sso;
  if (error === "CredentialsSignin") return "wrong";
  if (error === "too_many_attempts") return "too_many";
  // `/api/auth/signin/<way>` leads to the page with the way's name as an error.
  return error === undefined || error === "oidc" || error === "credentials" ? null : "failed";
}

/** Begins a sign-in through the OpenID provider: the address to go to, or what is wrong. `to`: a path to come back to. */
export async function signInElsewhere(to: string): Promise<{ url: string } | { problem: SignInProblem }> {
  const answer = await postForm("/api/auth/signin/oidc", { callbackUrl: to, json: "true" });
  if (!answer.ok) return { problem: answer.error.code === "network" ? "network" : refusal(answer.error) };
  const url = addressOf(answer.data);
  const error = errorOf(answer.data);
  if (error !== null || url === null || !/^https?:/.test(url)) return { problem: problemOf(error ?? "") ?? "failed" };
  return { url };
}

let leaving = false;
/** What is refused from now on is so because the person leaves: no page comes back to where they were. */
export const isSigningOut = (): boolean => leaving;

/** Ends this sign-in; true when it worked. */
export async function signOut(): Promise<boolean> {
  leaving = true;
  leaving = (await postForm("/api/auth/signout", { json: "true" })).ok;
  return leaving;
}

function refusal(error: ApiFailure): SignInFailure {
  const named = typeof error.details.url === "string" ? errorOf({ url: error.details.url }) : null;
  if (error.status === 429 || named === "too_many_attempts") return "too_many";
  return error.status === 401 ? "wrong" : "failed";
}

function addressOf(data: unknown): string | null {
  const url = typeof data === "object" && data !== null && "url" in data ? data.url : null;
  return typeof url === "string" ? url : null;
}

function errorOf(data: unknown): string | null {
  const url = addressOf(data);
  if (url === null || !URL.canParse(url, "http://localhost")) return null;
  return new URL(url, "http://localhost").searchParams.get("error");
}

async function postForm(url: string, fields: Record<string, string>): Promise<Result<unknown>> {
  try {
    const csrf = await fetch("/api/auth/csrf", { cache: "no-store" });
    const { csrfToken } = (await csrf.json()) as { csrfToken?: string };
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ ...fields, csrfToken: csrfToken ?? "" }),
    });
    const text = await response.text();
    const result = resultOf<unknown>(response.status, text);
    // next-auth answers `{url}` beside a 401: keep it, it names the reason.
    if (!result.ok) result.error.details = { ...result.error.details, ...plainObject(text) };
    return result;
  } catch {
    return { ok: false, error: networkFailure() };
  }
}

function plainObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** A path on this site to return to, or "/": never another site, never the sign-in page itself. */
export function localPath(to: string | null | undefined): string {
  if (!to?.startsWith("/") || /^\/[/\\]|[\\\t\n\r]/.test(to)) return "/";
  const url = URL.canParse(to, "http://local.invalid") ? new URL(to, "http://local.invalid") : null;
  // `/a/..//evil.example` is another site only once it is tidied.
  if (url?.origin !== "http://local.invalid" || /^\/(\/|sign-in)/.test(url.pathname)) return "/";
  return url.pathname + url.search + url.hash;
}
