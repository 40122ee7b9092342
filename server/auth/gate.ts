/** What never reaches next-auth: other sites, addresses to return to that are none, and bodies that it cannot read. */
import { AppError, type ErrorCode, errorBody } from "../../lib/api/errors";
import { isSameOrigin, type OriginRules } from "./origin";

/** Of what next-auth offers. Not `_log`: anybody could write into our log there. */
const ACTIONS = new Set(["providers", "session", "csrf", "signin", "signout", "callback", "error"]);
/** Bytes. */
const MOST = 64 * 1024;

interface Asked {
  method: string;
  headers: Headers;
  nextUrl: { searchParams: URLSearchParams };
  cookies: { get(name: string): { value: string } | undefined };
}
export const CALLBACK_COOKIE = "penguin_callback";
export const STATE_COOKIE = "penguin_oidc_state";

/** The refusal; null: next-auth may answer. `path`: what stands behind `/api/auth/`. */
export function refuseAuthRequest(request: Asked, path: readonly string[], rules: OriginRules): Response | null {
  const [action = "", provider] = path;
  const { searchParams } = request.nextUrl;
  if (!ACTIONS.has(action)) return refusal("not_found");
  if (request.method === "POST") {
    if (!isSameOrigin(request.headers, rules)) return refusal("cross_origin");
    if (Number(request.headers.get("content-length") ?? 0) > MOST) return refusal("payload_too_large");
    // On the way to a provider they would be handed on to it.
    if (action === "signin" && searchParams.size > 0) return refusal("bad_request");
  } else if (action === "callback" && provider === "credentials") {
    return refusal("bad_request");
  }
  const [asked, kept] = [searchParams.get("callbackUrl"), request.cookies.get(CALLBACK_COOKIE)?.value];
  if (asked && !isWebAddress(asked)) return refusal("bad_request");
  if (kept && !isWebAddress(kept)) {
    const response = refusal("bad_request");
    response.headers.set("set-cookie", `${CALLBACK_COOKIE}=; Path=/; Max-Age=0`);
    return response;
  }
  return null;
}

/** As next-auth reads it. Which of these are followed is another question: `ownAddress`. */
function isWebAddress(given: string): boolean {
  const base = given.startsWith("/") ? "http://local.invalid" : undefined;
  return URL.canParse(given, base) && /^https?:$/.test(new URL(given, base).protocol);
}

export function refusal(code: ErrorCode): Response {
  const error = new AppError(code);
  return Response.json(errorBody(error), { status: error.status });
}

/** The address if it is on this site, else its start page. */
export function ownAddress(url: string, baseUrl: string): string {
  const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null;
  return target?.origin === baseUrl ? target.href : baseUrl;
}
