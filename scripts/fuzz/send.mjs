// @ts-check
/** Sends requests as they are, also those that no client library would. */
import { Agent, request } from "node:http";
import { connect } from "node:net";

/** Answers are read so far: an export may be large, an event stream never ends. Bytes. */
const READ = 256 * 1024;
/** An answer that takes longer is a fault. Milliseconds. */
const PATIENCE = 20_000;
/** The answer to a very long path repeats it: Location and Refresh of a redirect. Bytes. */
const HEADS = 64 * 1024;

/** @typedef {{ status: number, text: string, ms: number }} Answer  status 0: the connection ended without an answer */

/**
 * Does this answer show a fault of the server? Who sends two megabytes that nobody wants is hung up on.
 * @param {{ body?: Buffer | null }} what @param {Answer} answer
 */
export const isFault = ({ body }, { status }) => status >= 500 || (status === 0 && (body?.length ?? 0) <= 1_000_000);

/** Lines of a server's output that tell of a failure inside of it. @param {string} output */
export const failuresIn = (output) =>
  output.split("\n").filter((line) => /^\[http\]|⨯|[Uu]nhandled|heap out of memory/.test(line));

/** @param {number} sockets */
export const connections = (sockets) => new Agent({ keepAlive: true, maxSockets: sockets });

/**
 * @param {{ port: number, agent: Agent }} to
 * @param {{ method: string, path: string, headers: Record<string, string>, body?: Buffer | null }} what
 * @returns {Promise<Answer>}
 */
export function send({ port, agent }, { method, path, headers, body = null }) {
  const began = performance.now();
  return new Promise((resolve) => {
    let text = "";
    const done = (/** @type {number} */ status) => resolve({ status, text, ms: performance.now() - began });
    const given = { ...headers, ...(body ? { "content-length": String(body.length) } : {}) };
    const asked = request({
      host: "127.0.0.1",
      port,
      agent,
      method,
      path,
      headers: given,
      timeout: PATIENCE,
      maxHeaderSize: HEADS,
    });
    asked.on("response", (response) => {
      const status = response.statusCode ?? 0;
      if (String(response.headers["content-type"]).startsWith("text/event-stream")) {
        asked.destroy();
        return done(status);
      }
      response.setEncoding("utf8").on("data", (/** @type {string} */ part) => {
        text += part;
        if (text.length > READ) asked.destroy();
      });
      response.once("close", () => done(status));
    });
    asked.once("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.once("error", (error) => {
      text ||= error.message;
      done(0);
    });
    // A server that refuses a body early closes while it is sent.
    asked.end(body ?? undefined);
  });
}

/** Bytes that are hardly HTTP. Resolves with what came back. @param {number} port @param {string} bytes @returns {Promise<string>} */
function raw(port, bytes) {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes, "latin1"));
    socket.setTimeout(PATIENCE, () => socket.destroy());
    socket.setEncoding("latin1").on("data", (part) => {
      text += part;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

/** Sends what is hardly HTTP, one after the other; answers what the server failed at. @param {number} port */
export async function rawFaults(port) {
  const faults = [];
  for (const bytes of RAW) {
    const answer = await raw(port, bytes);
    if (/^HTTP\/1\.1 5/.test(answer)) faults.push(`${JSON.stringify(bytes.slice(0, 200))} -> ${answer.slice(0, 300)}`);
  }
  const both = await raw(port, TOO_MUCH_AND_NEXT);
  if (!/^HTTP\/1\.1 413[\s\S]*HTTP\/1\.1 200/.test(both))
    faults.push(`too much, and the next -> ${both.slice(0, 300)}`);
  return faults;
}

/** A body of unknown length that is too much, and a request that comes after it on the same connection. */
const TOO_MUCH_AND_NEXT = [
  "POST /api/auth-link HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
  `${(3_000_000).toString(16)}\r\n${"a".repeat(3_000_000)}\r\n0\r\n\r\n`,
  "GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
].join("");

export const RAW = [
  "GET / HTTP/1.1\r\n\r\n",
  "GET /api/me HTTP/9.9\r\nHost: x\r\n\r\n",
  "GET http://evil.test/api/me HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n",
  "GET /api/../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET /api/projects/\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET //evil.test/%2e%2e HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET \\api\\me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET /api/me HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
  "GET /api/me HTTP/1.1\r\nHost: [::::\r\nConnection: close\r\n\r\n",
  "GET /api/auth/providers HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
  "GET /api/auth/signin HTTP/1.1\r\nHost: x:99999\r\nConnection: close\r\n\r\n",
  "TRACE /api/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET /api/me HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n",
  `GET /api/me HTTP/1.1\r\nHost: x\r\nCookie: ${"a".repeat(40_000)}\r\n\r\n`,
  "POST /api/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nConnection: close\r\n\r\n{}",
  "POST /api/projects HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
  "POST /api/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST /api/projects HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n\r\n",
  "\x16\x03\x01\x02\x00\x01\x00\x01",
  "\x00\x00\x00",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];
