/** A sign-in through the provider that did not work leads back to the sign-in page, which says why. */
import type { SsoProblem } from "../../../lib/api/team-values";
import { logWords } from "../../redact";
import { CALLBACK_COOKIE, STATE_COOKIE } from "../gate";

interface Asked {
  cookies: { get(name: string): { value: string } | undefined };
}

const NO = /^(access_denied|(interaction|login|consent|account_selection)_required)$/;

/** What the provider itself reports in the address that it sends the browser to; its words go to the log only. */
export function problemAtProvider({
  nextUrl: { searchParams },
  cookies,
}: Asked & { nextUrl: { searchParams: URLSearchParams } }): SsoProblem | undefined {
  const error = searchParams.get("error");
  if (error === null) return undefined;
  if (NO.test(error)) return "oidc_denied";
  if (cookies.get(STATE_COOKIE)) {
    const words = logWords(`${error} ${searchParams.get("error_description") ?? ""}`);
    console.error(`[oidc] the provider reported: ${words}`);
  }
  return "oidc_provider";
}

/** next-auth's own names for what went wrong on the way. */
const OF_NEXT_AUTH: Record<string, SsoProblem> = {
  OAuthCallback: "oidc_stale", // a cookie of this sign-in is missing
  OAuthSignin: "oidc_unreachable",
  Callback: "oidc_invalid",
};

/** The answer as it is when it worked; else the way to the sign-in page. Without an answer: the way there. */
export function againAfter(
  request: Asked & { method: string },
  problem: SsoProblem | undefined,
  answer?: Response,
): Response {
  const named = answer && errorOf(answer);
  if (answer && named === null) return answer;
  const code = problem ?? (named ? (OF_NEXT_AUTH[named] ?? named) : "internal");
  const query = new URLSearchParams({ error: /^[a-z_]{1,40}$/.test(code) ? code : "internal" });
  const to = pathOf(request.cookies.get(CALLBACK_COOKIE)?.value);
  if (to) query.set("to", to);
  const url = `/sign-in?${query}`;
  // Our form asks with fetch and follows the address itself.
  const response =
    request.method === "POST"
      ? Response.json({ url })
      : new Response(null, { status: 302, headers: { location: url } });
  // Cookies of the way that ended go.
  for (const cookie of answer?.headers.getSetCookie() ?? []) response.headers.append("set-cookie", cookie);
  return response;
}

/** The error in the address of a redirect; null: it worked, or is no redirect. */
function errorOf(answer: Response): string | null {
  const location = answer.headers.get("location");
  const url =
    location && URL.canParse(location, "http://local.invalid") ? new URL(location, "http://local.invalid") : null;
  if (!url || !/^\/(api\/auth\/(error|signin)|sign-in)$/.test(url.pathname)) return null;
  return url.searchParams.get("error") ?? "Callback";
}

/** Where the person wanted to go; nothing for the start page. */
function pathOf(address: string | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { pathname, search, hash } = new URL(address);
  return pathname === "/" ? undefined : pathname + search + hash;
}
