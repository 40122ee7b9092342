/**
 * Before next-auth sees a request, X-Forwarded headers are made to say what `publicAddress` says: next-auth builds its
 * redirects from them. Matches /api/auth only: a matched route would have its body cut at 10 MB.
 */
import { type NextRequest, NextResponse } from "next/server";
import { publicAddress } from "./server/auth/forwarded";
import { readConfig } from "./server/config";

export function proxy(request: NextRequest): NextResponse {
  const headers = new Headers(request.headers);
  const { proto, host } = publicAddress(request.headers, readConfig());
  headers.set("x-forwarded-proto", proto);
  headers.set("x-forwarded-host", host);
  return NextResponse.next({ request: { headers } });
}

export const config = { matcher: "/api/auth/:path*" };
