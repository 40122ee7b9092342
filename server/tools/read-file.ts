/** read_file: numbered lines of a text file, in windows; long lines piece by piece. */
import type { FileHandle } from "node:fs/promises";
import { z } from "zod";
import { openFile } from "../workspace/open";
import { LineWindow, type ShownLine, type WindowRequest } from "./line-window";
import { describeFailure, describeMissing } from "./missing-path";
import { defineTool } from "./tool";

const CHUNK = 256 * 1024;
/** Lines are counted this far past the beginning; further on the total is "more than". Bytes. */
const SCAN_BYTES = 8 * 1024 * 1024;
/** Of a line, when many are shown; when one is walked by `column`, as much as fits. Characters. */
const LINE_CHARS = 2_000;
/** Left free for the notes behind the lines. */
const NOTE_ROOM = 1_000;
const UNBOUNDED_CHARS = 1024 * 1024;

type Scan = { ok: true; window: LineWindow; whole: boolean; bytes: number } | { ok: false; message: string };

/** Reads until the window is full and the lines are counted. A binary file is refused, not shown. */
async function scan(handle: FileHandle, request: WindowRequest, signal: AbortSignal): Promise<Scan> {
  const window = new LineWindow(request);
  const decoder = new TextDecoder();
  const buffer = Buffer.allocUnsafe(CHUNK);
  let bytes = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, bytes);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (chunk.includes(0))
      return { ok: false, message: "is a binary file (it contains NUL bytes; UTF-16 text looks like that too)" };
    window.push(decoder.decode(chunk, { stream: true }));
    bytes += bytesRead;
    if (window.complete && bytes >= SCAN_BYTES) return { ok: true, window, whole: false, bytes };
  }
  window.push(decoder.decode());
  window.end();
  return { ok: true, window, whole: true, bytes };
}

const numbered = (line: ShownLine) => `${String(line.number).padStart(6)}\t${line.text}`;

/** What was shown, of how much, and how to go on; empty when everything was shown. */
function trailing(window: LineWindow, whole: boolean, request: WindowRequest): string[] {
  const notes: string[] = [];
  const first = window.shown[0];
  const last = window.shown.at(-1);
  if (!first || !last) return notes;
  const cuts = window.shown.filter((line) => line.cut);
  for (const line of cuts.slice(0, 3)) {
    notes.push(`[line ${line.number} is longer: continue it with offset=${line.number}, column=${line.upTo + 1}]`);
  }
  if (cuts.length > 3)
    notes.push(`[${cuts.length - 3} more lines were cut at ${LINE_CHARS} characters; column reads on in each]`);
  const total = whole ? `${window.lines}` : `more than ${window.lines}`;
  const more = !whole || last.number < window.lines;
  if (more || request.offset > 1 || request.column > 1) {
    const shown = first.number === last.number ? `line ${first.number}` : `lines ${first.number}-${last.number}`;
    const from = request.column > 1 && first.number === request.offset ? ` from character ${request.column}` : "";
    notes.push(`[${shown} of ${total}${from}${more ? `; continue with offset=${last.number + 1}` : "; end of file"}]`);
  }
  if (window.crlf) notes.push("(file uses CRLF line endings)");
  return notes;
}

export const readFile = defineTool({
  name: "read_file",
  description:
    "Reads a text file as numbered lines (number, tab, line). Shows up to limit lines from offset; lines above 2000 characters are cut. With column a long line is read from that character on, in large pieces; the note at the end says how to go on.",
  permission: "r",
  timeoutMs: 30_000,
  maxOutputLength: 64_000,
  params: {
    file_path: z.string().describe("Absolute, or relative to the Workspace."),
    offset: z.number().default(1).describe("First line to show, counted from 1."),
    limit: z.number().default(2_000).describe("How many lines at most."),
    column: z
      .number()
      .optional()
      .describe("First character of that first line, counted from 1; shows this one line only, piece by piece."),
  },
  async run({ file_path, offset, limit, column }, run) {
    const fail = (message: string) => {
      run.out(message);
      return { failed: true };
    };
    const { confinement } = run.session;
    const resolved = await confinement.resolveInside(file_path, "read");
    if (!resolved.ok) return fail(resolved.message);
    if (!resolved.exists) return fail(await describeMissing(file_path, resolved.path));
    const file = await openFile(resolved.path);
    if (!file.ok) return fail(describeFailure(file_path, file));
    const budget = Math.max(NOTE_ROOM, Math.min(run.maxOutputLength, UNBOUNDED_CHARS) - NOTE_ROOM);
    const request: WindowRequest = {
      offset: Math.max(1, Math.floor(offset)),
      limit: column === undefined ? Math.max(1, Math.floor(limit)) : 1,
      column: Math.max(1, Math.floor(column ?? 1)),
      lineChars: column === undefined ? Math.min(LINE_CHARS, budget) : budget,
      totalChars: budget,
    };
    try {
      const result = await scan(file.handle, request, run.signal);
      if (!result.ok) return fail(`"${file_path}" ${result.message}.`);
      const { window, whole } = result;
      if (result.bytes === 0) {
        run.out(`The file is empty: "${file_path}".`);
        return {};
      }
      if (window.shown.length === 0)
        return fail(`offset ${request.offset} is past the end: "${file_path}" has ${window.lines} lines.`);
      const lines = window.shown.map((line) =>
        line.cut && column === undefined ? `${numbered(line)}… [line truncated]` : numbered(line),
      );
      run.out([...lines, ...trailing(window, whole, request)].join("\n"));
      return {};
    } finally {
      await file.handle.close();
    }
  },
});
