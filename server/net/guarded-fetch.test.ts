import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { publicLookup } from "./addresses";
import { type Guard, guardedFetch } from "./guarded-fetch";

let server: Server | null = null;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  server = null;
});

/** A web server; names resolve as told, and of all private addresses only its own counts as public. */
async function web(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  names: Record<string, string>,
) {
  const seen: string[] = [];
  const made = createServer((request, response) => {
    seen.push(`${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  const { port } = made.address() as AddressInfo;
  const isPrivate = (ip: string) => ip !== "127.0.0.1";
  const lookup = publicLookup(async (host) => [{ address: names[host] ?? "10.0.0.1", family: 4 }], isPrivate);
  const guard: Guard = { isPrivate, lookup };
  const limits = { maxBytes: 1_000, timeoutMs: 5_000, types: ["image/"] };
  const get = (url: string, more = {}) => guardedFetch(url.replace("PORT", `${port}`), { ...limits, ...more }, guard);
  return { get, seen, port };
}

const picture = (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, { "content-type": "image/png; x=y" }).end("bytes");
};
const named = { "here.test": "127.0.0.1" };

describe("guarded fetch (product.md 7)", () => {
  it("fetches what is public", async () => {
    const { get } = await web(picture, named);
    const fetched = await get("http://here.test:PORT/a.png");
    expect(fetched).toMatchObject({ ok: true, type: "image/png", bytes: Buffer.from("bytes") });
  });

  it.each([
    ["http://127.0.0.1/x", "not public"],
    ["http://2130706433/x", "not public"],
    ["http://0x7f.1/x", "not public"],
    ["http://[::1]/x", "not public"],
    ["http://[::ffff:10.1.2.3]/x", "not public"],
    ["http://[64:ff9b::a01:203]/x", "not public"],
    ["http://[2002:a01:203::]/x", "not public"],
    ["http://169.254.169.254/latest/meta-data", "not public"],
    ["http://localhost/x", "not public"],
    ["file:///etc/passwd", "only http"],
    ["ftp://example.com/x", "only http"],
    ["http://name:word@example.com/x", "password"],
    ["nonsense", "no web address"],
  ])("refuses %s before anything is sent", async (url, why) => {
    const fetched = await guardedFetch(url, { maxBytes: 10, timeoutMs: 5_000, types: ["image/"] });
    expect(fetched).toMatchObject({ ok: false, message: expect.stringContaining(why) });
  });

  it("a name is judged by where it leads, and every redirect anew", async () => {
    const { get, seen } = await web((request, response) => {
      const to = request.url === "/again" ? "http://inner.test/secret" : "http://10.9.9.9/secret";
      response.writeHead(302, { location: to }).end();
    }, named);
    expect(await get("http://inner.test:PORT/x")).toMatchObject({
      ok: false,
      message: expect.stringContaining("public"),
    });
    expect(seen).toEqual([]);
    expect(await get("http://here.test:PORT/again")).toMatchObject({ message: expect.stringContaining("inner.test") });
    expect(await get("http://here.test:PORT/x")).toMatchObject({ message: expect.stringContaining("10.9.9.9") });
    expect(seen).toHaveLength(2);
  });

  it("follows relative redirects, not for ever", async () => {
    const { get, seen } = await web((request, response) => {
      if (request.url === "/end") picture(request, response);
      else response.writeHead(307, { location: request.url === "/once" ? "end" : "/round" }).end();
    }, named);
    expect(await get("http://here.test:PORT/once")).toMatchObject({ ok: true });
    expect(await get("http://here.test:PORT/round")).toMatchObject({ message: expect.stringContaining("redirects") });
    expect(seen).toHaveLength(8);
  });

  it("limits of size, told or not, of type and of time", async () => {
    const { get } = await web((request, response) => {
      response.setHeader("content-type", request.url === "/html" ? "text/html" : "image/png");
      if (request.url === "/told") response.setHeader("content-length", 5_000);
      if (request.url === "/never") return;
      if (request.url === "/zip") response.setHeader("content-encoding", "gzip");
      if (request.url === "/gone") response.statusCode = 404;
      for (let i = 0; i < 50; i += 1) response.write("x".repeat(100));
      response.end();
    }, named);
    const why = async (path: string, more = {}) => {
      const fetched = await get(`http://here.test:PORT/${path}`, more);
      return fetched.ok ? "fetched" : fetched.message;
    };
    expect(await why("told")).toContain("larger");
    expect(await why("endless")).toContain("larger");
    expect(await why("html")).toContain("text/html");
    expect(await why("zip")).toContain("compressed");
    expect(await why("gone")).toContain("404");
    expect(await why("never", { timeoutMs: 50 })).toContain("within");
    const stop = new AbortController();
    const stopped = why("never", { signal: stop.signal });
    stop.abort();
    expect(await stopped).toBe("stopped");
  });
});
