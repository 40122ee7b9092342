import { describe, expect, it } from "vitest";
import { publicAddress } from "./forwarded";
import { SignInLink } from "./link";
import { isSameOrigin } from "./origin";
import { cookieValue } from "./person";
import { Streams } from "./streams";
import { Throttle } from "./throttle";

describe("isSameOrigin", () => {
  const rules = { trustProxy: false };
  const own = { host: "127.0.0.1:7364" };
  it.each([
    ["nothing said", {}],
    ["our origin", { origin: "http://127.0.0.1:7364" }],
    ["our origin, seen through TLS", { origin: "https://127.0.0.1:7364" }],
    ["typed into the address bar", { "sec-fetch-site": "none" }],
  ])("allows: %s", (_, headers) => {
    expect(isSameOrigin(new Headers({ ...own, ...headers }), rules)).toBe(true);
  });

  it.each([
    [{ origin: "null" }],
    [{ origin: "http://localhost:7364" }],
    [{ origin: "http://127.0.0.1" }],
    [{ origin: "http://127.0.0.1:7364.evil.test" }],
    [{ origin: "file:///etc" }],
    [{ origin: "http://127.0.0.1:7364", "sec-fetch-site": "cross-site" }],
    [{ origin: "https://app.test", "x-forwarded-host": "app.test" }],
  ])("refuses %o", (headers) => {
    expect(isSameOrigin(new Headers({ ...own, ...headers }), rules)).toBe(false);
  });

  it("MU10 knows the public address and a trusted proxy; default ports do not matter", () => {
    const headers = new Headers({ ...own, origin: "https://app.test", "x-forwarded-host": "app.test:443" });
    expect(isSameOrigin(headers, { trustProxy: true })).toBe(true);
    expect(isSameOrigin(headers, { trustProxy: false, publicUrl: "https://app.test/" })).toBe(true);
    expect(isSameOrigin(headers, { trustProxy: false, publicUrl: "https://other.test" })).toBe(false);
  });
});

describe("publicAddress", () => {
  const claims = new Headers({ host: "127.0.0.1:7364", "x-forwarded-host": "app.test", "x-forwarded-proto": "https" });
  it("MU10 MU11 believes X-Forwarded headers only behind a trusted proxy", () => {
    expect(publicAddress(claims, { trustProxy: false })).toEqual({ proto: "http", host: "127.0.0.1:7364" });
    expect(publicAddress(claims, { trustProxy: true })).toEqual({ proto: "https", host: "app.test" });
  });
  it.each(["a b", "evil.test:99999", "me@evil.test", "evil.test/x", "\\evil.test"])(
    "a Host that is none: %s",
    (host) => {
      const given = new Headers({ host, "x-forwarded-host": host });
      expect(publicAddress(given, { trustProxy: true })).toEqual({ proto: "http", host: "127.0.0.1" });
    },
  );
  it("PENGUIN_PUBLIC_URL decides", () => {
    const config = { trustProxy: true, publicUrl: "https://team.test:8443" };
    expect(publicAddress(claims, config)).toEqual({ proto: "https", host: "team.test:8443" });
  });
});

it("finds a cookie by its whole name", () => {
  expect(cookieValue("a=1; session=x=y; b=2", "session")).toBe("x=y");
  expect(cookieValue("my_session=1", "session")).toBeUndefined();
  expect(cookieValue(null, "session")).toBeUndefined();
});

describe("sign-in link", () => {
  it("works once, for ten minutes, and only with its own token", () => {
    const link = new SignInLink();
    expect(link.redeem("anything")).toBeNull();
    const token = link.make("admin", 0);
    expect(link.redeem(`${token}x`, 0)).toBeNull();
    expect(link.redeem(token, 10 * 60_000 + 1)).toBeNull();
    expect(link.redeem(token, 10 * 60_000)).toBe("admin");
    expect(link.redeem(token, 0)).toBeNull();
  });
  it("keeps no token, and a new one voids the old one", () => {
    const link = new SignInLink();
    const old = link.make("admin");
    expect(JSON.stringify(link)).not.toContain(old);
    link.make("admin");
    expect(link.redeem(old)).toBeNull();
  });
});

describe("throttle", () => {
  const fail = async () => null;
  it("AT18 refuses a name after five failures, without running the attempt; other names go on", async () => {
    const throttle = new Throttle();
    for (let i = 0; i < 5; i++) expect(await throttle.attempt("ann", fail)).toBeNull();
    let ran = false;
    const attempt = throttle.attempt("ANN", async () => {
      ran = true;
      return "in";
    });
    await expect(attempt).rejects.toMatchObject({ code: "too_many_attempts" });
    expect(ran).toBe(false);
    expect(await throttle.attempt("bob", async () => "in")).toBe("in");
  });
  it("success clears the name; many attempts at once do not slip through", async () => {
    const throttle = new Throttle();
    for (let i = 0; i < 20; i++) {
      await throttle.attempt("ann", fail);
      expect(await throttle.attempt("ann", async () => "in")).toBe("in");
    }
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => throttle.attempt("eve", fail)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });
});

describe("streams", () => {
  const person = (id: string) => ({ id, name: id, admin: false, sid: `${id}-sid` });
  it("closes what is picked, once, and forgets what ended by itself", async () => {
    const streams = new Streams();
    const closed: string[] = [];
    const add = (id: string) => streams.add({ person: person(id), project: "p", close: () => closed.push(id) });
    const forget = add("ann");
    add("bob");
    add("cat");
    forget();
    streams.close((stream) => stream.person.id === "bob");
    expect(closed).toEqual(["bob"]);
    await streams.sweep(async () => false);
    streams.closeAll();
    expect(closed).toEqual(["bob", "cat"]);
    expect(streams.size).toBe(0);
  });
});
