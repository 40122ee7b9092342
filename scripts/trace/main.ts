/** Reads the files named on the command line, one Session after the other. Exit code: 0 sound, 1 findings, 2 unreadable. */
import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { checkTrace, type TraceReport } from "../../lib/trace/check";
import { TraceParser } from "../../lib/trace/jsonl";
import { parseTraceFileName } from "../../lib/trace/name";
import type { TraceFile } from "../../lib/trace/resume";

const PIECE = 1024 * 1024;
/** Findings printed of one Session. */
const MAX_PRINTED = 200;

interface Given {
  path: string;
  session: string;
  index: number;
}

function readTrace({ path, index }: Given): TraceFile {
  const parser = new TraceParser();
  const fd = openSync(path, "r");
  try {
    const piece = Buffer.alloc(PIECE);
    for (let read = readSync(fd, piece); read > 0; read = readSync(fd, piece)) parser.push(piece.subarray(0, read));
  } finally {
    closeSync(fd);
  }
  const { records, ...rest } = parser.end();
  const addressed = records.map(({ line, message }) => ({ address: { file_index: index, line }, message }));
  return { file_index: index, records: addressed, ...rest };
}

/** Files of one Session belong together; a file of another name stands alone. */
function sessionsOf(paths: readonly string[]): Given[][] {
  const sessions = new Map<string, Given[]>();
  for (const path of paths) {
    const name = parseTraceFileName(basename(path));
    const session = name?.session_id ?? path;
    sessions.set(session, [...(sessions.get(session) ?? []), { path, session, index: name?.index ?? 1 }]);
  }
  return [...sessions.values()].map((files) => files.sort((a, b) => a.index - b.index));
}

function print(files: readonly Given[], traces: readonly TraceFile[], { findings, resume }: TraceReport): void {
  for (const [i, { path, index }] of files.entries()) {
    console.log(`${path}: ${traces[i]?.lines ?? 0} lines, ${traces[i]?.records.length ?? 0} records`);
    for (const finding of findings.filter(({ file_index }) => file_index === index).slice(0, MAX_PRINTED)) {
      console.log(`  line ${finding.line}: ${finding.kind}: ${finding.message}`);
    }
  }
  if (findings.length > MAX_PRINTED) console.log(`  ${findings.length} findings in all`);
  if (!resume.ok) {
    console.log(`  Would not resume: ${resume.reason}`);
    return;
  }
  const { file_index, next_line, history, carry_over, notes } = resume;
  const from = `with ${history} messages of history and ${carry_over} carried over`;
  console.log(
    `  Would resume ${from}; the next record is line ${next_line} of file ${String(file_index).padStart(3, "0")}`,
  );
  for (const note of notes) console.log(`  Note: ${note}`);
}

let code = 0;
for (const files of sessionsOf(process.argv.slice(2))) {
  try {
    const traces = files.map(readTrace);
    const report = checkTrace(traces);
    print(files, traces, report);
    if (report.findings.length > 0 || !report.resume.ok) code = Math.max(code, 1);
  } catch (error) {
    console.error(`${files.map(({ path }) => path).join(", ")}: ${error instanceof Error ? error.message : error}`);
    code = 2;
  }
}
process.exitCode = code;
