/** Provider failure -> how the Request ended (FF 5.3, EN4). */
import type { LlmOutcome } from "../engine/ports";
import { asArray, asObject, asString, type JsonObject, parseJson } from "./json";
import { KEY_MARK, spellingsOf } from "./secrets";

/** Longest wait that a provider may ask for. Milliseconds. */
const MAX_RETRY_AFTER_MS = 60_000;
const MAX_MESSAGE = 2_000;
const MAX_CAUSES = 8;
/** Of a secret that is taken out of a message. Characters. */
const MIN_SCRUBBED = 4;
/** The same for the beginning of one, where a message ends. */
const MIN_BEGUN = 8;

const AUTH =
  /^(invalid_api_key|authentication_error|unauthorized|AuthenticationError|API_KEY_INVALID|UNAUTHENTICATED)$/i;
const NETWORK = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ETIMEDOUT",
  "EPIPE",
  "EAI_AGAIN",
  "ENOTFOUND",
  "ECONNABORTED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);
const QUOTA_CODE = /insufficient(_user)?_quota|quota_exceeded|billing|insufficient_balance/i;
const QUOTA_WORDS = /quota|insufficient (balance|credit|funds)|billing|payment/i;
const BUSY = /rate_limit|overloaded|server_error|service_unavailable|unavailable|timeout/i;
const REFUSED = new Set([400, 404, 413, 422]);
const TOO_LONG_CODE = /context_length_exceeded|context_window_exceeded|request_too_large_for_context/i;
const TOO_LONG_WORDS =
  /maximum context length|context[ _-](length|window|size|limit)|prompt is too long|input is too long|too many (input )?tokens|exceeds? the (maximum|available|model)[^.]{0,40}(token|context)/i;

/** A failed HTTP answer, or an error object inside a stream that began with 200. */
export interface ProviderFailure {
  /** Absent inside a stream. */
  http_status?: number;
  headers?: Headers;
  /** Body as text. */
  body: string;
}

/** Classifies what the provider answered. `secrets` never appear in the message. */
export function failureOutcome(failure: ProviderFailure, secrets: readonly string[] = []): LlmOutcome {
  const said = parseJson(failure.body)?.value;
  const parsed = asObject(Array.isArray(said) ? said[0] : said);
  const error = parsed && errorObject(parsed);
  const status = failure.http_status ?? statusOf(error);
  const words = providerWords(error, parsed, failure.body);
  const details = asArray(error?.details).map((detail) => asObject(detail) ?? {});
  const reasons = details.map(({ reason }) => reason);
  const code = [error?.code, error?.type, error?.name, error?.status, ...reasons]
    .filter((x) => typeof x === "string")
    .join(" ");
  const outcome: LlmOutcome = {
    status: "failed",
    error_message: scrub(
      status === undefined || words.startsWith(String(status)) ? words : `${status} ${words}`,
      secrets,
    ),
  };
  if (status === 401 || code.split(" ").some((part) => AUTH.test(part))) return { ...outcome, status: "auth" };
  if (isPassing(status, code, words)) {
    const retry_after_ms = (failure.headers && retryAfter(failure.headers)) ?? retryDelay(details);
    return { ...outcome, status: "timeout", ...(retry_after_ms === undefined ? {} : { retry_after_ms }) };
  }
  const tooLong = TOO_LONG_CODE.test(code) || TOO_LONG_WORDS.test(words);
  const inside = /invalid_request|invalid_prompt|invalid_argument/i.test(code) || tooLong;
  const refused = status === undefined ? inside : REFUSED.has(status) && words !== "" && !!error;
  if (!refused) return outcome;
  return { ...outcome, refused: true, ...(tooLong ? { context_too_long: true } : {}) };
}

/** Classifies something thrown on the way: network trouble or unreadable data. Walks the chain of causes. */
export function thrownOutcome(thrown: unknown, secrets: readonly string[] = []): LlmOutcome {
  const chain = causes(thrown);
  const said = chain.map((e) => [e.message, e.message.includes(e.code) ? "" : e.code].filter(Boolean).join(" "));
  const words = plainWords(chain) ?? ([...new Set(said.filter(Boolean))].join(": ") || "unknown error");
  const error_message = scrub(words, secrets);
  if (chain.some((e) => AUTH.test(e.name) || AUTH.test(e.code) || e.status === 401)) {
    return { status: "auth", error_message };
  }
  const network = chain.some((e) => NETWORK.has(e.code) || e.name === "TimeoutError" || /^terminated$/.test(e.message));
  if (network) return { status: "timeout", error_message };
  if (chain.some((e) => e.name === "SyntaxError")) return { status: "malformed", error_message };
  return { status: "failed", error_message };
}

/** What stands in the way of a connection, for people; the code stays behind it. null: nothing known. */
function plainWords(chain: readonly Cause[]): string | null {
  for (const { code, where } of chain) {
    if (where === "") continue;
    if (code === "ENOTFOUND") return `No host has the name ${where}: check the address (${code}).`;
    if (code === "EAI_AGAIN") return `The name ${where} could not be looked up just now (${code}).`;
    if (code === "ECONNREFUSED") return `Nothing answers at ${where} (${code}).`;
    if (code === "EHOSTUNREACH" || code === "ENETUNREACH") return `There is no way to ${where} (${code}).`;
  }
  return null;
}

/** Is it worth another try: rate limit, overload, empty account? */
function isPassing(status: number | undefined, code: string, words: string): boolean {
  if (QUOTA_CODE.test(code)) return true;
  if (status === undefined) return BUSY.test(code);
  if (status === 402 || status === 403) return QUOTA_WORDS.test(words);
  return status === 408 || status === 429 || status >= 500;
}

/** Where servers put their error: `{error:{…}}`, `{error:"…"}`, `{detail}`, `{message}`. */
function errorObject(body: JsonObject): JsonObject | undefined {
  if (typeof body.error === "string") return { ...body, message: body.error };
  const inner = asObject(body.error);
  if (inner) return inner;
  if (body.detail !== undefined) {
    return { ...body, message: typeof body.detail === "string" ? body.detail : JSON.stringify(body.detail) };
  }
  return typeof body.message === "string" ? body : undefined;
}

function statusOf(error: JsonObject | undefined): number | undefined {
  for (const value of [error?.status, error?.code, error?.status_code]) {
    const number = typeof value === "string" ? Number(value) : value;
    if (typeof number === "number" && number >= 400 && number < 600) return number;
  }
  return undefined;
}

function providerWords(error: JsonObject | undefined, parsed: JsonObject | undefined, body: string): string {
  if (error) {
    const message = asString(error.message) || (error.message === undefined ? "" : JSON.stringify(error.message));
    return message || asString(error.type) || JSON.stringify(error);
  }
  if (parsed) return JSON.stringify(parsed);
  // An HTML page of some gateway: its words without the markup.
  return body
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. Milliseconds, at most 60,000. */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const exact = headers.get("retry-after-ms");
  const plain = headers.get("retry-after");
  const ms = exact !== null ? Number(exact) : plain === null ? Number.NaN : inMs(plain, now);
  return Number.isFinite(ms) ? Math.min(Math.max(Math.round(ms), 0), MAX_RETRY_AFTER_MS) : undefined;
}

/** Gemini says it in the body: `{retryDelay: "35s"}`. */
function retryDelay(details: JsonObject[]): number | undefined {
  const said = details.map(({ retryDelay }) => retryDelay).find((x) => typeof x === "string" && /^[\d.]+s$/.test(x));
  return said === undefined
    ? undefined
    : Math.min(Math.round(Number.parseFloat(String(said)) * 1000), MAX_RETRY_AFTER_MS);
}

function inMs(value: string, now: number): number {
  const seconds = Number(value);
  return Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
}

/** Takes keys out of a message and bounds it (AC3). */
export function scrub(message: string, secrets: readonly string[]): string {
  let clean = message;
  for (const secret of secrets.filter(({ length }) => length >= MIN_SCRUBBED)) {
    for (const spelling of spellingsOf(secret)) clean = withoutBegun(clean.replaceAll(spelling, KEY_MARK), spelling);
  }
  clean = clean
    .replace(/\bBearer\s+[\w.~+/=-]{8,}/gi, "Bearer [key]")
    .replace(/\b(sk|pk|rk|key|gsk|xai|api)[-_][\w*.-]{8,}/gi, "[key]")
    .replace(/\bAIza[\w-]{20,}/g, "[key]");
  return clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE)}…` : clean;
}

/** What came was cut somewhere, perhaps inside of a key. */
function withoutBegun(message: string, secret: string): string {
  for (let n = Math.min(secret.length - 1, message.length); n >= MIN_BEGUN; n -= 1) {
    if (message.endsWith(secret.slice(0, n))) return message.slice(0, -n) + KEY_MARK;
  }
  return message;
}

interface Cause {
  name: string;
  message: string;
  code: string;
  /** Host that a connection was tried to, with its port when that is known. */
  where: string;
  status?: number;
}

function causes(thrown: unknown): Cause[] {
  const chain: Cause[] = [];
  let current: unknown = thrown;
  while (current !== undefined && current !== null && chain.length < MAX_CAUSES) {
    if (typeof current === "string") return [...chain, { name: "", message: current, code: "", where: "" }];
    if (typeof current !== "object") break;
    const read = (key: string): unknown => Reflect.get(Object(current), key);
    const code = read("code");
    const status = read("status");
    const port = read("port");
    const host = asString(read("hostname")) || asString(read("address"));
    chain.push({
      name: asString(read("name")),
      message: asString(read("message")),
      code: typeof code === "number" ? String(code) : asString(code),
      where: host && typeof port === "number" ? `${host}:${port}` : host,
      ...(typeof status === "number" ? { status } : {}),
    });
    const several = read("errors");
    current = read("cause") ?? (Array.isArray(several) ? several[0] : undefined);
  }
  return chain;
}
