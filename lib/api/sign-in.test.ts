import { afterEach, describe, expect, it, vi } from "vitest";
import { isSigningOut, localPath, signIn, signOut } from "./sign-in";

describe("AT21 localPath: no open redirect", () => {
  it.each([
    ["/p/a/models?x=1#y", "/p/a/models?x=1#y"],
    ["//evil.example/x", "/"],
    ["/\\evil.example", "/"],
    ["/\t/evil.example", "/"],
    ["/\n/evil.example", "/"],
    ["\\\\evil.example", "/"],
    ["/p/..//evil.example", "/"],
    ["/.//evil.example", "/"],
    ["/%2e%2e//evil.example", "/"],
    ["///evil.example", "/"],
    ["/%2F/evil.example", "/%2F/evil.example"],
    ["http:/evil.example", "/"],
    ["data:text/html,x", "/"],
    ["https://evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/sign-in?to=/p", "/"],
    ["/a/../sign-in", "/"],
    ["", "/"],
    [null, "/"],
  ])("%s -> %s", (given, path) => expect(localPath(given)).toBe(path));
});

describe("signIn", () => {
  afterEach(() => vi.unstubAllGlobals());
  const answer = (status: number, body: unknown) =>
    vi.stubGlobal(
      "fetch",
      vi.fn(async (url: string) =>
        url.endsWith("csrf") ? Response.json({ csrfToken: "t" }) : Response.json(body, { status }),
      ),
    );

  it("sends the CSRF token with the fields", async () => {
    answer(200, { url: "http://x/" });
    expect(await signIn("ana", "secret pass")).toBeNull();
    const [, init] = vi.mocked(fetch).mock.calls[1] ?? [];
    expect(String(init?.body)).toBe("user=ana&password=secret+pass&json=true&csrfToken=t");
  });
  it("tells a wrong password, too many tries and other failures apart", async () => {
    answer(401, { url: "http://x/sign-in?error=CredentialsSignin" });
    expect(await signIn("a", "b")).toBe("wrong");
    answer(401, { url: "http://x/sign-in?error=too_many_attempts" });
    expect(await signIn("a", "b")).toBe("too_many");
    answer(500, {});
    expect(await signIn("a", "b")).toBe("failed");
    vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("offline")));
    expect(await signIn("a", "b")).toBe("network");
  });

  it("while somebody signs out, and afterwards, a page that is refused does not lead back to where they were", async () => {
    answer(500, {});
    expect([await signOut(), isSigningOut()]).toEqual([false, false]);
    answer(200, { url: "http://x/sign-in" });
    const leaves = signOut();
    expect(isSigningOut()).toBe(true);
    expect([await leaves, isSigningOut()]).toEqual([true, true]);
  });
});
