/**
 * What a browser may do with our pages and answers. Pages run scripts of this server only, told apart by a nonce that is
 * new with every page; nobody frames them. Answers of the API are data. Static files get `STATIC_HEADERS` in
 * next.config.mjs.
 */
import type { PublicAddress } from "./forwarded";

const YEAR_S = 365 * 24 * 3600;
/** Is this host, with or without a port, the machine itself? */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host);

/** `development`: React builds stack traces with eval there, and reloads over a WebSocket. */
export function pagePolicy(nonce: string, development = false): string {
  return [
    "default-src 'self'",
    // Scripts that one of ours loads are ours: the chunks of a page.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self' blob:",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "worker-src 'self'",
    // Previews of files: their answers carry a policy of their own.
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Nothing in an answer of the API is a page. */
const ANSWER_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Once a browser came over https it stays there. */
function strictTransport({ proto }: PublicAddress): Record<string, string> {
  return proto === "https" ? { "strict-transport-security": `max-age=${YEAR_S}` } : {};
}

export function pageHeaders(policy: string, address: PublicAddress): Record<string, string> {
  // Over plain http browsers ignore this header and complain about it, but for their own machine.
  const opener = address.proto === "https" || isLoopback(address.host);
  return {
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    ...(opener ? { "cross-origin-opener-policy": "same-origin" } : {}),
    ...strictTransport(address),
  };
}

/** Adds what a route did not say itself. */
export function secureAnswer(response: Response, address: PublicAddress): void {
  const wanted = {
    "content-security-policy": ANSWER_POLICY,
    "x-content-type-options": "nosniff",
    ...strictTransport(address),
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
}
