/**
 * Pages get their security headers here, with a nonce for the scripts of this one answer (those of share links bring
 * their own). Before next-auth sees a request, X-Forwarded headers are made to say what `publicAddress` says: next-auth
 * builds its redirects from them. No other route of the API is matched: a matched one would have its body cut at 10 MB.
 */
import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { publicAddress } from "./server/auth/forwarded";
import { pageHeaders, pagePolicy } from "./server/auth/security-headers";
import { readConfig } from "./server/config";

export function proxy(request: NextRequest): NextResponse {
  const headers = new Headers(request.headers);
  const address = publicAddress(request.headers, readConfig());
  if (request.nextUrl.pathname.startsWith("/api/auth/")) {
    headers.set("x-forwarded-proto", address.proto);
    headers.set("x-forwarded-host", address.host);
    return NextResponse.next({ request: { headers } });
  }
  const nonce = randomBytes(18).toString("base64");
  const policy = pagePolicy(nonce, process.env.NODE_ENV === "development");
  // Next reads the nonce for its own scripts from the policy; the layout takes it for the one of the theme.
  headers.set("content-security-policy", policy);
  headers.set("x-nonce", nonce);
  const response = NextResponse.next({ request: { headers } });
  for (const [name, value] of Object.entries(pageHeaders(policy, address))) response.headers.set(name, value);
  return response;
}

export const config = { matcher: ["/api/auth/:path*", "/((?!api/|_next/static/|share/[^/]+$|icon\\.svg$).*)"] };
