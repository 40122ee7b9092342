/**
 * TR9: records above 2 MiB are parsed in a worker thread. The worker's code is a string, so that it is the same in
 * tests, scripts and the bundles of the built server. One worker serves the process; it ends when it was idle.
 */
import { Worker } from "node:worker_threads";
import { isOmniMessage, MAX_LEVELS } from "../../lib/omni/guards";
import { keepFidelity } from "../../lib/omni/spelling";
import { MAX_RECORD_BYTES, type ParsedLine, parseLine, type RawLine, rawHead } from "../../lib/trace/jsonl";

/** Longer records leave the event loop. Bytes. */
export const FAR_BYTES = 2 * 1024 * 1024;
const IDLE_MS = 20_000;

/**
 * `outline` cuts the answer to the shape that checks need: two levels, strings of at most 1,024 characters. The whole
 * value crosses as a structured clone, which is a memory copy for long strings.
 */
const CODE = `
const { parentPort } = require("node:worker_threads");
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
function outline(value, depth) {
  if (typeof value === "string") return value.slice(0, 1024);
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
parentPort.on("message", ({ id, bytes, shape }) => {
  let text;
  try { text = decoder.decode(bytes); } catch { return parentPort.postMessage({ id, error: "not UTF-8" }); }
  try {
    const value = JSON.parse(text);
    if (isDeeperThan(value, ${MAX_LEVELS})) return parentPort.postMessage({ id, error: "nested more than ${MAX_LEVELS} levels deep" });
    if (shape === "outline") return parentPort.postMessage({ id, value: outline(value, 2) });
    parentPort.postMessage({ id, value, fidelity: fidelitySource(text, value) });
  } catch (error) {
    parentPort.postMessage({ id, error: "not JSON: " + error.message });
  }
});
`;

type Answer = { value: unknown; fidelity?: string } | { error: string };
type Shape = "whole" | "outline";

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

function ask(bytes: Uint8Array, shape: Shape): Promise<Answer> {
  clearTimeout(idle);
  const id = ++serial;
  const owned = new Uint8Array(bytes);
  const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
  const to = started();
  to.ref();
  to.postMessage({ id, bytes: owned, shape }, [owned.buffer]);
  return answer;
}

/** Does this line have to be parsed by `parseFar`? */
export function isFar(raw: RawLine): boolean {
  return raw.length > FAR_BYTES && raw.length <= MAX_RECORD_BYTES;
}

/** `parseLine` off the event loop. With shape "outline" payloads keep only the discriminating fields. */
export async function parseFar(raw: RawLine, shape: Shape = "whole"): Promise<ParsedLine> {
  const raw_head = rawHead(raw.bytes);
  const answer = await ask(raw.bytes, shape);
  if ("error" in answer) return { error: answer.error, raw_head };
  if (!isOmniMessage(answer.value)) return { error: "not a record", raw_head };
  if (answer.fidelity !== undefined) keepFidelity(answer.value, answer.fidelity);
  return { message: answer.value };
}

/** Parses a line where it belongs: here, or off the event loop. */
export function parseAny(raw: RawLine): ParsedLine | Promise<ParsedLine> {
  return isFar(raw) ? parseFar(raw) : parseLine(raw);
}
