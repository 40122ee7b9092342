import { NextRequest } from "next/server";
import { afterEach, expect, it, vi } from "vitest";
import { config, proxy } from "../../proxy";
import { pagePolicy, secureAnswer } from "./security-headers";

afterEach(() => vi.unstubAllEnvs());

const ask = (path: string, headers: Record<string, string> = {}) =>
  proxy(new NextRequest(`http://127.0.0.1:7364${path}`, { headers: { host: "127.0.0.1:7364", ...headers } }));
const HTTPS = { "x-forwarded-proto": "https", "x-forwarded-host": "team.test" };

it("AT22 a page runs scripts with the nonce of this answer only, is framed by nobody, and holds no plug-in and no base", () => {
  const headers = { "x-nonce": "mine", "content-security-policy": "script-src 'nonce-mine'" };
  const [first, second] = [ask("/p/alpha", headers), ask("/p/alpha", headers)];
  const policy = first.headers.get("content-security-policy") ?? "";
  const nonce = /script-src 'nonce-([A-Za-z0-9+/]{24})' 'strict-dynamic'(;|$)/.exec(policy)?.[1] ?? "";
  expect(nonce).not.toBe("");
  // What the renderer is given, whatever the client said.
  expect(first.headers.get("x-middleware-request-x-nonce")).toBe(nonce);
  expect(first.headers.get("x-middleware-request-content-security-policy")).toBe(policy);
  expect(second.headers.get("content-security-policy")).not.toContain(nonce);
  for (const rule of ["object-src", "base-uri", "frame-ancestors"]) expect(policy).toContain(`${rule} 'none'`);
  expect(policy).toContain("connect-src 'self';");
  expect(policy).toContain("img-src 'self' data: blob:;");
  expect(policy).not.toMatch(/script-src[^;]*unsafe|eval|\*|https?:/);
  expect(first.headers.get("x-frame-options")).toBe("DENY");
  expect(pagePolicy("n", true)).toContain("'unsafe-eval'");
});

it("AT22 MU10 says HSTS only for https, which a proxy says that is trusted; COOP where browsers heed it", () => {
  const hsts = (headers: Record<string, string>) => ask("/", headers).headers.get("strict-transport-security");
  const coop = (headers: Record<string, string>) => ask("/", headers).headers.get("cross-origin-opener-policy");
  expect(hsts({})).toBeNull();
  expect(hsts(HTTPS)).toBeNull();
  expect(coop({ host: "192.168.1.5:7364" })).toBeNull();
  expect(coop({})).toBe("same-origin");
  vi.stubEnv("PENGUIN_TRUST_PROXY", "1");
  expect(hsts(HTTPS)).toBe("max-age=31536000");
  expect(coop(HTTPS)).toBe("same-origin");
  vi.stubEnv("PENGUIN_TRUST_PROXY", "");
  vi.stubEnv("PENGUIN_PUBLIC_URL", "https://team.test");
  expect(hsts({})).toBe("max-age=31536000");
});

it("AT22 next-auth is told the address that we believe, and the other routes of the API are not touched: bodies stay whole", () => {
  const forged = ask("/api/auth/csrf", HTTPS);
  expect(forged.headers.get("x-middleware-request-x-forwarded-host")).toBe("127.0.0.1:7364");
  expect(forged.headers.get("x-middleware-request-x-forwarded-proto")).toBe("http");
  expect(forged.headers.get("content-security-policy")).toBeNull();
  const [auth, pages = ""] = config.matcher;
  expect(auth).toBe("/api/auth/:path*");
  const matched = (path: string) => new RegExp(`^${pages}$`).test(path);
  for (const path of [
    "/",
    "/p/a/traces",
    "/sign-in",
    "/made/up.html",
    "/apis",
    "/_global-error",
    "/share",
    "/share/x/y",
  ]) {
    expect(matched(path), path).toBe(true);
  }
  for (const path of [
    "/api/me",
    "/api/projects/a/agents/b/traces",
    "/_next/static/chunks/a.js",
    "/icon.svg",
    "/share/x",
  ]) {
    expect(matched(path), path).toBe(false);
  }
});

it("an answer of the API is never a page, unless its route says how", () => {
  const [plain, own] = [Response.json({}), new Response("", { headers: { "content-security-policy": "sandbox" } })];
  for (const response of [plain, own]) secureAnswer(response, { proto: "https", host: "team.test" });
  expect(plain.headers.get("content-security-policy")).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
  expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
  expect(plain.headers.get("strict-transport-security")).toBe("max-age=31536000");
  expect(own.headers.get("content-security-policy")).toBe("sandbox");
});
