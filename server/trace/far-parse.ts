/**
 * TR9: records above 2 MiB are parsed in a worker thread. The worker's code is a string, so that it is the same in
 * tests, scripts and the bundles of the built server. One worker serves the process; it ends when it was idle.
 */
import { Worker } from "node:worker_threads";
import { ELIDE_ABOVE_BYTES, ELIDED_HEAD_CHARS } from "../../lib/api/elide";
import { isOmniMessage, MAX_LEVELS } from "../../lib/omni/guards";
import { keepFidelity } from "../../lib/omni/spelling";
import {
  headOf,
  LONG_BYTES,
  MAX_RECORD_BYTES,
  type ParsedLine,
  parseLine,
  type RawLine,
  rawHead,
} from "../../lib/trace/jsonl";
import { Pace } from "./scan";

/** Bytes of a line that are copied at once. */
const COPY_BYTES = 512 * 1024;
const IDLE_MS = 20_000;

/** The error of a line whose last character is cut, as a crash makes it; told apart where only an outline is asked for. */
export const TORN_CHARACTER = "not UTF-8 at its end";

/**
 * `outline` cuts the answer to the shape that checks need: two levels, strings of at most 1,024 characters. It is read
 * from the bytes as they are, one character each: such a text takes half the memory and parses faster. The whole value
 * crosses as a structured clone, which is a memory copy for long strings.
 *
 * What one large record leaves behind is as large as the record, and the garbage collector lets hundreds of megabytes
 * of it pile up in a heap that is otherwise empty: it is told to collect after each.
 */
const CODE = `
const { parentPort } = require("node:worker_threads");
const { isUtf8 } = require("node:buffer");
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LARGE = ${4 * 1024 * 1024};
let collect = () => {};
try {
  const { Session } = require("node:inspector");
  const session = new Session();
  session.connect();
  collect = () => session.post("HeapProfiler.collectGarbage");
} catch {}
// Memory that was used already is fast; new memory is not.
let space = Buffer.alloc(0);
function joined(parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (space.length < length) space = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) {
    space.set(part, at);
    at += part.length;
  }
  return space.subarray(0, length);
}
function isTorn(bytes) {
  return [1, 2, 3].some((cut) => {
    const lead = bytes[bytes.length - cut];
    return lead >= 0xc2 && lead <= 0xf4 && isUtf8(bytes.subarray(0, bytes.length - cut));
  });
}
/** The text, or an error. */
function textOf(bytes, shape) {
  if (shape === "outline") {
    if (!isUtf8(bytes)) return { error: isTorn(bytes) ? ${JSON.stringify(TORN_CHARACTER)} : "not UTF-8" };
    return { text: bytes.latin1Slice() };
  }
  try { return { text: decoder.decode(bytes) }; } catch { return { error: "not UTF-8" }; }
}
function outline(value, depth) {
  if (typeof value === "string") return Buffer.from(value.slice(0, 1024), "latin1").toString("utf8");
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0 || Array.isArray(value)) return null;
  const copy = {};
  for (const key of ["timestamp", "type", "payload", "session_id"])
    if (Object.hasOwn(value, key)) copy[key] = Array.isArray(value[key]) ? [] : outline(value[key], depth - 1);
  return copy;
}
function isDeeperThan(value, levels) {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}
// P2, as lib/api/elide.ts does it here: what is cut anyway need not cross.
function elided(value) {
  if (typeof value === "string") {
    if (value.length * 3 <= ${ELIDE_ABOVE_BYTES}) return value;
    const bytes = Buffer.byteLength(value);
    return bytes > ${ELIDE_ABOVE_BYTES} ? { $elided: { bytes, head: value.slice(0, ${ELIDED_HEAD_CHARS}) } } : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(elided);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, elided(member)]));
}
// RS8: the source of \`fidelity\` where the value does not keep its spelling; lib/omni/spelling.ts reads it.
function loses(value) {
  if (typeof value === "number") return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => (!Array.isArray(value) && /^\\d+$/.test(key)) || loses(member));
}
function endOf(text, from) {
  let depth = 0;
  for (let at = from; ; at += 1) {
    const char = text[at];
    if (char === '"') for (at += 1; text[at] !== '"'; at += 1) at += text[at] === "\\\\" ? 1 : 0;
    if (char === "{" || char === "[") depth += 1;
    if (char === "}" || char === "]") depth -= 1;
    if (depth === 0) return at + 1;
  }
}
function fidelitySource(text, value) {
  const fidelity = value?.payload?.fidelity;
  if (typeof fidelity !== "object" || fidelity === null || !loses(fidelity)) return undefined;
  const wanted = JSON.stringify(fidelity);
  for (const found of [...text.matchAll(/"fidelity"\\s*:\\s*(?=\\{)/g)].reverse()) {
    const start = found.index + found[0].length;
    const source = text.slice(start, endOf(text, start));
    if (JSON.stringify(JSON.parse(source)) === wanted) return source;
  }
}
function answer(bytes, shape) {
  const { text, error } = textOf(bytes, shape);
  if (error) return { error };
  try {
    const value = JSON.parse(text);
    if (isDeeperThan(value, ${MAX_LEVELS})) return { error: "nested more than ${MAX_LEVELS} levels deep" };
    if (shape === "outline") return { value: outline(value, 2) };
    return shape === "elided" ? { value: elided(value) } : { value, fidelity: fidelitySource(text, value) };
  } catch (error) {
    return { error: "not JSON: " + error.message };
  }
}
parentPort.on("message", ({ id, parts, shape }) => {
  const bytes = joined(parts);
  const large = bytes.length >= LARGE;
  parentPort.postMessage({ id, ...answer(bytes, shape) });
  // In a turn of its own: nothing of the record is in use any more.
  if (large) setImmediate(() => collect());
});
`;

type Answer = { value: unknown; fidelity?: string } | { error: string };
type Shape = "whole" | "outline" | "elided";

let worker: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let serial = 0;
const waiting = new Map<number, (answer: Answer) => void>();

function settle(id: number, answer: Answer): void {
  waiting.get(id)?.(answer);
  waiting.delete(id);
  if (waiting.size > 0) return;
  worker?.unref();
  idle = setTimeout(() => {
    void worker?.terminate();
    worker = null;
  }, IDLE_MS).unref();
}

function started(): Worker {
  if (worker) return worker;
  const made = new Worker(CODE, { eval: true });
  made.on("message", ({ id, ...answer }: { id: number } & Answer) => settle(id, answer));
  // Out of memory ends the worker alone; what it was asked counts as unreadable.
  const lost = () => {
    if (worker !== made) return;
    worker = null;
    for (const id of [...waiting.keys()]) settle(id, { error: "too large to be parsed" });
  };
  made.on("error", lost);
  made.on("exit", lost);
  worker = made;
  return made;
}

function ask(parts: readonly Uint8Array<ArrayBuffer>[], shape: Shape): Promise<Answer> {
  clearTimeout(idle);
  const id = ++serial;
  const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
  const to = started();
  to.ref();
  to.postMessage(
    { id, parts, shape },
    parts.map((part) => part.buffer),
  );
  return answer;
}

/** Does this line have to be parsed by `parseFar`? */
export function isFar(raw: RawLine): boolean {
  return raw.length > LONG_BYTES && raw.length <= MAX_RECORD_BYTES;
}

/**
 * `parseLine` off the event loop. With shape "outline" payloads keep only the discriminating fields, with "elided" long
 * strings come shortened (P2). A line in pieces is given away: nobody may look at its bytes afterwards.
 */
export async function parseFar(raw: RawLine, shape: Shape = "whole"): Promise<ParsedLine> {
  const raw_head = rawHead(raw.parts ? headOf(raw.parts) : raw.bytes);
  const answer = await ask(raw.parts ?? (await copied(raw.bytes)), shape);
  if ("error" in answer) return { error: answer.error, raw_head };
  if (!isOmniMessage(answer.value)) return { error: "not a record", raw_head };
  if (answer.fidelity !== undefined) keepFidelity(answer.value, answer.fidelity);
  return { message: answer.value };
}

/** A copy in pieces; others have a turn in between, for a large one takes long. */
async function copied(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>[]> {
  const pace = new Pace();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length; at += COPY_BYTES) {
    parts.push(new Uint8Array(bytes.subarray(at, at + COPY_BYTES)));
    if (pace.due) await pace.rest();
  }
  return parts;
}

/** Parses a line where it belongs: here, or off the event loop. */
export function parseAny(raw: RawLine): ParsedLine | Promise<ParsedLine> {
  return isFar(raw) ? parseFar(raw) : parseLine(raw);
}
