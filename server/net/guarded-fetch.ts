/**
 * GET of an address that somebody else chose (a model, a web page): http and https only, public addresses only, each
 * redirect judged anew, bounded in size and time. Sends no credentials and no cookies. The addresses that were judged
 * are the ones connected to.
 */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { hostOf, isPrivateAddress, PrivateAddressError, publicLookup } from "./addresses";

export interface GuardedLimits {
  /** Of the body, in bytes. */
  maxBytes: number;
  /** For everything, redirects included. Milliseconds. */
  timeoutMs: number;
  /** Media types that are taken, without parameters, lower case; a "image/" takes all below it. */
  types: readonly string[];
  signal?: AbortSignal;
}

/** What counts as private and how names are resolved; tests give their own. */
export interface Guard {
  isPrivate(ip: string): boolean;
  lookup: LookupFunction;
}

export type Fetched =
  | { ok: true; bytes: Buffer; type: string; url: string }
  /** One sentence for whoever asked. */
  | { ok: false; message: string };

const MAX_REDIRECTS = 5;
const PUBLIC: Guard = { isPrivate: isPrivateAddress, lookup: publicLookup() };

/** Never throws. */
export async function guardedFetch(address: string, limits: GuardedLimits, guard: Guard = PUBLIC): Promise<Fetched> {
  const over = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal ? AbortSignal.any([limits.signal, over]) : over;
  try {
    let url = address;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const judged = judge(url, guard);
      if (!judged.ok) return judged;
      const response = await open(judged.url, signal, guard);
      const next = redirectOf(response);
      if (next === null) return await take(response, judged.url, limits);
      response.destroy();
      url = URL.canParse(next, judged.url.href) ? new URL(next, judged.url).href : next;
    }
    return refuse(`it redirects more than ${MAX_REDIRECTS} times`);
  } catch (error) {
    if (limits.signal?.aborted) return refuse("stopped");
    if (over.aborted) return refuse(`no complete answer within ${Math.round(limits.timeoutMs / 1_000)} s`);
    if (error instanceof PrivateAddressError) return refuse(error.message);
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
    return refuse(`it could not be reached${code ? ` (${code})` : ""}`);
  }
}

const refuse = (message: string) => ({ ok: false as const, message });

function judge(address: string, guard: Guard): { ok: true; url: URL } | { ok: false; message: string } {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url) return refuse("that is no web address");
  if (url.protocol !== "http:" && url.protocol !== "https:") return refuse("only http and https are fetched");
  if (url.username || url.password) return refuse("a web address with a name or a password in it is not fetched");
  const host = hostOf(url);
  if (isIP(host) && guard.isPrivate(host)) return refuse(new PrivateAddressError(host).message);
  return { ok: true, url };
}

/** Resolves with the head of the answer; the body is still to be read. */
function open(url: URL, signal: AbortSignal, { lookup }: Guard): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    // A connection of its own: one that is kept open was judged for somebody else.
    const headers = { accept: "*/*", "accept-encoding": "identity", "user-agent": "penguin-harness" };
    send(url, { lookup, signal, agent: false, headers }, resolve).on("error", reject).end();
  });
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | null {
  return [301, 302, 303, 307, 308].includes(statusCode) ? (headers.location ?? null) : null;
}

async function take(response: IncomingMessage, url: URL, { maxBytes, types }: GuardedLimits): Promise<Fetched> {
  try {
    const { statusCode = 0, headers } = response;
    if (statusCode !== 200) return refuse(`the server answered ${statusCode}`);
    const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
    const taken = types.some((one) => (one.endsWith("/") ? type.startsWith(one) : type === one));
    if (!taken) return refuse(`the server sends ${type || "something without a type"}`);
    const encoding = headers["content-encoding"];
    if (encoding && encoding !== "identity") return refuse(`the server sends it compressed (${encoding})`);
    const tooLarge = refuse(`it is larger than ${maxBytes} bytes`);
    if (Number(headers["content-length"]) > maxBytes) return tooLarge;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response) {
      const bytes: Buffer = chunk;
      size += bytes.length;
      if (size > maxBytes) return tooLarge;
      chunks.push(bytes);
    }
    return { ok: true, bytes: Buffer.concat(chunks), type, url: url.href };
  } finally {
    response.destroy();
  }
}
