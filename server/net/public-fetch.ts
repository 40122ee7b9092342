/**
 * `fetch` that reaches public addresses only: the addresses that were judged are the ones connected to, so a name that
 * changes its mind between the check and the use gains nothing. Follows no redirect. For addresses of models that
 * people without the right to private ones entered; what vendors' packages need of `fetch`, no more.
 */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { hostOf, isPrivateAddress, PrivateAddressError, publicLookup } from "./addresses";

/** What counts as private and how names are resolved; tests give their own. */
export interface PublicGuard {
  isPrivate(ip: string): boolean;
  lookup: LookupFunction;
}

const PUBLIC: PublicGuard = { isPrivate: isPrivateAddress, lookup: publicLookup() };
/** Statuses that may not carry a body in a Response. */
const EMPTY = new Set([101, 204, 205, 304]);

/** Rejects with PrivateAddressError for an address that is not public. */
export function publicFetch(guard: PublicGuard = PUBLIC): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, { ...init, redirect: "manual" });
    const url = new URL(request.url);
    const host = hostOf(url);
    if (isIP(host) && guard.isPrivate(host)) throw new PrivateAddressError(host);
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    return open(url, request, body, guard);
  };
}

function open(url: URL, request: Request, body: Buffer | null, { lookup }: PublicGuard): Promise<Response> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const headers = { ...Object.fromEntries(request.headers), "accept-encoding": "identity" };
  return new Promise((resolve, reject) => {
    // A connection of its own: one that is kept open was judged for somebody else.
    const options = { method: request.method, headers, lookup, agent: false, signal: request.signal };
    const sent = send(url, options, (answer) => resolve(responseOf(answer)));
    sent.on("error", reject);
    sent.end(body ?? undefined);
  });
}

function responseOf(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 502;
  const headers = new Headers();
  for (let i = 0; i + 1 < answer.rawHeaders.length; i += 2) {
    headers.append(answer.rawHeaders[i] ?? "", answer.rawHeaders[i + 1] ?? "");
  }
  const body = EMPTY.has(status) ? null : bodyOf(answer);
  if (body === null) answer.resume();
  return new Response(body, { status, headers });
}

/** A stream that stops reading when nobody pulls, and closes the connection when it is cancelled. */
function bodyOf(answer: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = Readable.prototype[Symbol.asyncIterator].call(answer);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel() {
      answer.destroy();
    },
  });
}
