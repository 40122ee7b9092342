/** A sign-in through the provider that did not work leads back to the sign-in page, which says why. */
import type { SsoProblem } from "../../../lib/api/team-values";
import { CALLBACK_COOKIE } from "../gate";

/** What the provider itself reports in the address that it sends the browser to. */
export function problemAtProvider(query: URLSearchParams): SsoProblem | undefined {
  const error = query.get("error");
  if (error === null) return undefined;
  return /^(access_denied|interaction_required|login_required|consent_required|account_selection_required)$/.test(error)
    ? "oidc_denied"
    : "oidc_provider";
}

interface Asked {
  method: string;
  cookies: { get(name: string): { value: string } | undefined };
}

/** next-auth's own names for what went wrong on the way. */
const OF_NEXT_AUTH: Record<string, SsoProblem> = {
  OAuthCallback: "oidc_stale", // a cookie of this sign-in is missing
  OAuthSignin: "oidc_unreachable",
  Callback: "oidc_invalid",
};

/** The answer as it is when it worked; else the way to the sign-in page. Without an answer: the way there. */
export function againAfter(request: Asked, problem: SsoProblem | undefined, answer?: Response): Response {
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
