import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPrivateAddress, publicLookup } from "./addresses";
import { publicFetch } from "./public-fetch";

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/moved") return void response.writeHead(302, { location: "http://127.0.0.1/" }).end();
    if (request.url === "/slow") {
      response.writeHead(200).write("first");
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      response.writeHead(201, { "content-type": "text/plain", "x-method": request.method });
      response.end(`${request.headers.authorization} ${Buffer.concat(chunks)}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Loopback counts as public here: the test server has no other address. */
const open = publicFetch({
  isPrivate: () => false,
  lookup: publicLookup(
    async () => [{ address: "127.0.0.1", family: 4 }],
    () => false,
  ),
});

describe("fetch for public addresses only", () => {
  it("AC3: refuses private addresses, spelt out or behind a name, before anything is sent", async () => {
    await expect(publicFetch()(`http://127.0.0.1:${port}/`)).rejects.toThrow(/not public/);
    await expect(publicFetch()("http://[::1]:1/")).rejects.toThrow(/not public/);
    const names = publicLookup(async () => [{ address: "10.0.0.1", family: 4 }]);
    const rebound = publicFetch({ isPrivate: isPrivateAddress, lookup: names });
    await expect(rebound("http://models.test/v1")).rejects.toThrow(/not public/);
  });

  it("sends method, headers and body, and answers like fetch", async () => {
    const response = await open(`http://models.test:${port}/v1`, {
      method: "POST",
      headers: { authorization: "Bearer k" },
      body: "hello",
    });
    expect([response.status, response.ok, response.headers.get("x-method")]).toEqual([201, true, "POST"]);
    expect(await response.text()).toBe("Bearer k hello");
  });

  it("follows no redirect, streams, and ends with its signal", async () => {
    const moved = await open(`http://models.test:${port}/moved`);
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "http://127.0.0.1/"]);
    const control = new AbortController();
    const slow = await open(`http://models.test:${port}/slow`, { signal: control.signal });
    const reader = slow.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
    control.abort();
    await expect(reader?.read()).rejects.toThrow();
  });
});
