import { describe, expect, it } from "vitest";
import { failureOutcome, retryAfter, scrub, thrownOutcome } from "./outcome";

const body = (error: object | string) => JSON.stringify({ error });

describe("provider failure -> outcome", () => {
  it.each<[string, number | undefined, string, object]>([
    ["EN4: 401", 401, body({ message: "no" }), { status: "auth", error_message: "401 no" }],
    ["EN4: auth is looked at first", 400, body({ message: "bad", code: "invalid_api_key" }), { status: "auth" }],
    ["EN4: auth by type", 403, body({ message: "bad", type: "authentication_error" }), { status: "auth" }],
    ["FF 5.3: 408", 408, "", { status: "timeout" }],
    ["FF 5.3: 429", 429, body({ message: "slow" }), { status: "timeout" }],
    ["FF 5.3: 529", 529, body("overloaded"), { status: "timeout", error_message: "529 overloaded" }],
    ["FF 5.3: quota by words", 402, body({ message: "Insufficient Balance" }), { status: "timeout" }],
    ["FF 5.3: quota by code", 403, body({ message: "x", code: "insufficient_user_quota" }), { status: "timeout" }],
    ["FF 5.3: forbidden", 403, body({ message: "region" }), { status: "failed" }],
    ["EN4: 400 with words is refused", 400, body({ message: "bad field" }), { status: "failed", refused: true }],
    ["EN4: 422 of other servers", 422, JSON.stringify({ detail: [{ loc: ["body"], msg: "m" }] }), { refused: true }],
    ["EN4: 400 with a top-level message", 400, JSON.stringify({ object: "error", message: "m" }), { refused: true }],
    [
      "EN4: an HTML 404 is no provider's error body",
      404,
      "<html>Not Found</html>",
      { status: "failed", error_message: "404 Not Found" },
    ],
    [
      "inside a stream: status in the code",
      undefined,
      body({ message: "quota", type: "insufficient_quota", code: 429 }),
      { status: "timeout" },
    ],
    ["inside a stream: status as text", undefined, body({ message: "m", code: "401" }), { status: "auth" }],
    ["inside a stream: overloaded", undefined, body({ message: "m", type: "overloaded_error" }), { status: "timeout" }],
    ["inside a stream: invalid", undefined, body({ message: "m", type: "invalid_request_error" }), { refused: true }],
    ["inside a stream: unknown", undefined, body({ message: "m" }), { status: "failed", error_message: "m" }],
  ])("%s", (_name, http_status, text, expected) => {
    const outcome = failureOutcome({ http_status, body: text });
    expect(outcome).toMatchObject(expected);
    if (!("refused" in expected)) expect(outcome.refused).toBeUndefined();
  });

  it.each([
    "This model's maximum context length is 32000 tokens, your request has 40000",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "the request exceeds the available context size, try increasing it",
    "Input is too long for requested model.",
  ])("EN4: too long: %s", (message) => {
    const outcome = failureOutcome({ http_status: 400, body: body({ message }) });
    expect(outcome).toMatchObject({ refused: true, context_too_long: true });
  });
  it("EN4: an image that is too large is not a context that is too long", () => {
    const outcome = failureOutcome({
      http_status: 400,
      body: body({ message: "messages.1: image exceeds 5 MB maximum" }),
    });
    expect(outcome.context_too_long).toBeUndefined();
  });

  it("FF 5.3: walks the chain of causes", () => {
    const socket = Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });
    const thrown = new Error("Connection error.", { cause: new TypeError("fetch failed", { cause: socket }) });
    expect(thrownOutcome(thrown)).toEqual({
      status: "timeout",
      error_message: "Connection error.: fetch failed: connect refused ECONNREFUSED",
    });
    const several = new AggregateError([Object.assign(new Error(""), { code: "ETIMEDOUT" })], "");
    expect(thrownOutcome(new Error("x", { cause: several })).status).toBe("timeout");
    expect(thrownOutcome(new SyntaxError("Unexpected token <")).status).toBe("malformed");
    expect(thrownOutcome(new Error("odd")).status).toBe("failed");
    const nowhere = Object.assign(new Error("getaddrinfo ENOTFOUND api.example.com"), { code: "ENOTFOUND" });
    const named = Object.assign(nowhere, { hostname: "api.example.com" });
    expect(thrownOutcome(new TypeError("fetch failed", { cause: named }))).toEqual({
      status: "timeout",
      error_message: "No host has the name api.example.com: check the address (ENOTFOUND).",
    });
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), {
      code: "ECONNREFUSED",
      address: "127.0.0.1",
      port: 9,
    });
    expect(thrownOutcome(refused).error_message).toBe("Nothing answers at 127.0.0.1:9 (ECONNREFUSED).");
    const loop = new Error("a");
    loop.cause = loop;
    expect(thrownOutcome(loop)).toEqual({ status: "failed", error_message: "a" });
  });

  it("EN4: retry-after in seconds, as a date, in milliseconds; at most 60 s, never negative", () => {
    const now = Date.parse("2026-07-18T00:00:00Z");
    const wait = (headers: Record<string, string>) => retryAfter(new Headers(headers), now);
    expect(wait({ "retry-after": "1.5" })).toBe(1500);
    expect(wait({ "retry-after": "Sat, 18 Jul 2026 00:00:07 GMT" })).toBe(7000);
    expect(wait({ "retry-after": "Sat, 18 Jul 2026 09:00:00 GMT" })).toBe(60_000);
    expect(wait({ "retry-after": "Fri, 17 Jul 2026 00:00:00 GMT" })).toBe(0);
    expect(wait({ "retry-after-ms": "250", "retry-after": "9" })).toBe(250);
    expect(wait({ "retry-after": "soon" })).toBeUndefined();
    expect(wait({})).toBeUndefined();
  });

  it("AC3: keys never stand in a message", () => {
    const key = "plain-secret-value";
    const message = scrub(`bad key ${key} and sk-proj-abc123456789 in Bearer abcdefghijkl`, [key]);
    expect(message).toBe("bad key [key] and [key] in Bearer [key]");
    expect(failureOutcome({ http_status: 500, body: body({ message: `x ${key}` }) }, [key]).error_message).toBe(
      "500 x [key]",
    );
    expect(thrownOutcome(new Error(`x ${key}`), [key]).error_message).toBe("x [key]");
  });
});
