/** `.imports.jsonl`: which Trace files came from outside. Written and synced before the file appears. */
import { stat } from "node:fs/promises";
import { z } from "zod";
import { appendLine, readText } from "../files";
import type { AgentRef, Layout } from "../paths";

const importMark = z.looseObject({
  session_id: z.string(),
  index: z.number(),
  sha256: z.string(),
  /** Length of the imported file: these bytes are not trusted, what was appended to them is. */
  bytes: z.number(),
  /** How many physical lines those are; marks of older versions do not tell. */
  lines: z.number().optional(),
  by: z.string(),
  at: z.string(),
});
export type ImportMark = z.infer<typeof importMark>;

const MAX_BYTES = 64 * 1024 * 1024;

export async function appendImportMark(layout: Layout, ref: AgentRef, mark: ImportMark): Promise<void> {
  await appendLine(layout.imports(ref), JSON.stringify(mark));
}

interface Kept {
  bytes: number;
  mtime_ms: number;
  marks: Marks;
}
/** By Session id and file index. */
export type Marks = Map<string, Map<number, ImportMark>>;

/** The marks of each Agent, of the same file the newest; read again when the file changed. */
export class ImportMarks {
  readonly #kept = new Map<string, Kept>();

  async of(layout: Layout, ref: AgentRef): Promise<Marks> {
    const path = layout.imports(ref);
    const now = await stat(path).catch(() => null);
    if (!now) return new Map();
    const old = this.#kept.get(path);
    if (old?.bytes === now.size && old.mtime_ms === now.mtimeMs) return old.marks;
    const marks = parseMarks((await readText(path, MAX_BYTES)) ?? "");
    this.#kept.set(path, { bytes: now.size, mtime_ms: now.mtimeMs, marks });
    return marks;
  }
}

function parseMarks(text: string): Marks {
  const marks: Marks = new Map();
  for (const line of text.split("\n")) {
    const mark = parseMark(line);
    if (mark) marks.set(mark.session_id, (marks.get(mark.session_id) ?? new Map()).set(mark.index, mark));
  }
  return marks;
}

/** A damaged line is skipped. */
function parseMark(line: string): ImportMark | null {
  try {
    const parsed = importMark.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
