/**
 * RS8: how a Trace spells what JSON.parse does not keep. `1.0`, `1e3`, `-0`, integers beyond 2^53 and the order of
 * number-like keys are lost in the value; inside `fidelity` they have to go back to the provider as they were. Objects
 * and arrays whose text would come out differently are remembered with their source. Anything without numbers costs
 * one look at its members.
 */
import type { OmniMessage } from "./message";

/** Object or array -> its source; only where `JSON.stringify` would write something else. */
const sources = new WeakMap<object, string>();
/** `fidelity` -> source of those members of it that are numbers with a spelling of their own. */
const numberMembers = new WeakMap<object, Map<string, string>>();

/** The JSON text that stands for this object or array in its Trace; undefined: what `JSON.stringify` writes. */
export function sourceOf(value: object): string | undefined {
  return sources.get(value);
}

/** The same for a member of `fidelity` that is a number. */
export function memberSourceOf(fidelity: object, member: string): string | undefined {
  return numberMembers.get(fidelity)?.get(member);
}

/** Remembers the spellings in a record that was parsed from this line. */
export function keepSpelling(message: OmniMessage, line: string): void {
  const fidelity = fidelityOf(message);
  if (fidelity === null || !losesSpelling(fidelity)) return;
  const source = fidelitySource(line, fidelity);
  if (source !== null) keepSource(fidelity, source);
}

/** The same with the source of `fidelity` itself, as found elsewhere. */
export function keepFidelity(message: OmniMessage, source: string): void {
  const fidelity = fidelityOf(message);
  if (fidelity !== null) keepSource(fidelity, source);
}

function keepSource(fidelity: object, source: string): void {
  new Walk(source, fidelity).value(0, fidelity);
}

function fidelityOf(message: OmniMessage): object | null {
  if (message.type !== "model_msg" || !("fidelity" in message.payload)) return null;
  const { fidelity } = message.payload;
  return typeof fidelity === "object" && fidelity !== null ? fidelity : null;
}

/** Could its text differ from what `JSON.stringify` writes? */
function losesSpelling(value: unknown): boolean {
  if (typeof value === "number") return true;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(losesSpelling);
  return Object.entries(value).some(([key, member]) => /^\d+$/.test(key) || losesSpelling(member));
}

/**
 * In a line of JSON the characters "fidelity" with both quotes are always a key: inside a string the second quote
 * would have a backslash. The last member whose value is the given one is meant.
 */
function fidelitySource(line: string, fidelity: object): string | null {
  const wanted = JSON.stringify(fidelity);
  for (let at = line.lastIndexOf(KEY); at >= 0; at = at === 0 ? -1 : line.lastIndexOf(KEY, at - 1)) {
    const start = skipSpace(line, skipSpace(line, at + KEY.length) + 1);
    if (line[start] !== "{") continue;
    const source = line.slice(start, endOf(line, start));
    if (JSON.stringify(JSON.parse(source)) === wanted) return source;
  }
  return null;
}

const KEY = '"fidelity"';

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\n" || text[at] === "\r") at += 1;
  return at;
}

/** Behind the closing quote. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Behind the object or array that begins here. */
function endOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; ; ) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else {
      if (char === "{" || char === "[") depth += 1;
      if (char === "}" || char === "]") depth -= 1;
      at += 1;
      if (depth === 0) return at;
    }
  }
}

/** Walks a valid source and the value that it gave side by side. */
class Walk {
  constructor(
    private readonly text: string,
    private readonly root: object,
  ) {}

  /** Where the value ends, and whether it is spelt otherwise than `JSON.stringify` would. */
  value(from: number, value: unknown): { end: number; odd: boolean } {
    const { text } = this;
    if (typeof value === "object" && value !== null) return this.container(from, value);
    if (text[from] === '"') return { end: endOfString(text, from), odd: false };
    let end = from;
    while (end < text.length && !/[\s,\]}]/.test(text[end] ?? "")) end += 1;
    return { end, odd: typeof value === "number" && text.slice(from, end) !== JSON.stringify(value) };
  }

  private container(from: number, value: object): { end: number; odd: boolean } {
    const { text } = this;
    const keys: string[] = [];
    let odd = false;
    let at = skipSpace(text, from + 1);
    for (let i = 0; text[at] !== "}" && text[at] !== "]"; i += 1) {
      let key = String(i);
      if (!Array.isArray(value)) {
        const end = endOfString(text, at);
        key = String(JSON.parse(text.slice(at, end)));
        keys.push(key);
        at = skipSpace(text, skipSpace(text, end) + 1);
      }
      const member: unknown = Reflect.get(value, key);
      const found = this.value(at, member);
      if (found.odd && value === this.root && typeof member === "number") {
        const known = numberMembers.get(value) ?? new Map<string, string>();
        numberMembers.set(value, known.set(key, text.slice(at, found.end)));
      }
      odd ||= found.odd;
      at = skipSpace(text, found.end);
      if (text[at] === ",") at = skipSpace(text, at + 1);
    }
    odd ||= !Array.isArray(value) && keys.join("\n") !== Object.keys(value).join("\n");
    if (odd) sources.set(value, copied(text.slice(from, at + 1)));
    return { end: at + 1, odd };
  }
}

/** A slice would keep its whole line in memory. */
function copied(text: string): string {
  return String(JSON.parse(JSON.stringify(text)));
}
