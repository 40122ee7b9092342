/** Bytes of a Trace file for an export: ranges of HTTP, and the stream of one. */
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";

/** The byte range [from, to) that a request asks for. */
export type Range = { from: number; to: number };

/**
 * Reads a `Range` header. "whole": none, one of another form, or several, which the standard allows to ignore; "none":
 * it lies outside of the file (416).
 */
export function parseRange(header: string | null, bytes: number): Range | "whole" | "none" {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!match) return "whole";
  const [first, last] = [match[1] ?? "", match[2] ?? ""];
  if (first === "") {
    if (last === "") return "whole";
    const length = Math.min(Number(last), bytes);
    return length > 0 ? { from: bytes - length, to: bytes } : "none";
  }
  if (last !== "" && Number(last) < Number(first)) return "whole";
  const from = Number(first);
  if (from >= bytes) return "none";
  return { from, to: last === "" ? bytes : Math.min(Number(last) + 1, bytes) };
}

/** Streams exactly these bytes; what is appended meanwhile is not in it. */
export function rawStream(path: string, { from, to }: Range): ReadableStream<Uint8Array> {
  const file = createReadStream(path, { start: from, end: to - 1, highWaterMark: 256 * 1024 });
  // Node's and the DOM's declarations of the same class differ in details.
  return Readable.toWeb(file) as ReadableStream<Uint8Array>;
}

/** A body in parts, made as fast as it is read. */
export function partsStream(parts: Iterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = parts[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
  });
}

/** Values as lines of JSON, each sent as soon as it is there; the source ends when its reader leaves. */
export function linesStream(values: AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = values[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

export const LINES_HEADERS = { "content-type": "application/x-ndjson", "x-accel-buffering": "no" };
