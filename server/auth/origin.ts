/** Cookie-authenticated mutations must come from our own pages. */

export interface OriginRules {
  publicUrl?: string;
  trustProxy: boolean;
}

const first = (value: string | null) => value?.split(",")[0]?.trim() || undefined;

/** Is `origin` the address under which the browser reached this server? */
function isOwnOrigin(origin: string, headers: Headers, rules: OriginRules): boolean {
  const given = URL.canParse(origin) ? new URL(origin) : null;
  if (!given || !/^https?:$/.test(given.protocol)) return false;
  if (rules.publicUrl && URL.canParse(rules.publicUrl) && new URL(rules.publicUrl).origin === given.origin) return true;
  const hosts = [first(headers.get("host")), rules.trustProxy ? first(headers.get("x-forwarded-host")) : undefined];
  return hosts.some((host) => {
    // The scheme is the given one: TLS may end in front of us. The default port falls away on both sides.
    const own = host && `${given.protocol}//${host}`;
    return own !== undefined && URL.canParse(own) && new URL(own).host === given.host;
  });
}

/** False when Origin or Sec-Fetch-Site says that another site sent this; absent headers are allowed. */
export function isSameOrigin(headers: Headers, rules: OriginRules): boolean {
  const site = headers.get("sec-fetch-site");
  if (site && site !== "same-origin" && site !== "none") return false;
  const origin = headers.get("origin");
  return origin === null || isOwnOrigin(origin, headers, rules);
}
