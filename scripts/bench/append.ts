/** 100,000 small records, one at a time: through the Trace writer, and as a bare loop with the same syncs. */
import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { event, model } from "../../lib/omni/build";
import type { OmniMessage } from "../../lib/omni/message";
import { layout } from "../../server/paths";
import { isCommitPoint, TraceWriter } from "../../server/trace/writer";

const RECORDS = 100_000;
/** Records of one Request; its prompt and its end are commit points. */
const PER_REQUEST = 200;
const REF = { project: "bench", agent: "bench" };
const SID = "session-2026-01-05-10-00-00-0123abcd";
const AT = new Date(2026, 0, 5, 10);

function record(i: number): OmniMessage {
  const at = i % PER_REQUEST;
  if (at === 0) return model({ type: "text", role: "user", text: `prompt ${i}` });
  if (at === 1) return event({ type: "request_begin" });
  if (at === PER_REQUEST - 1) return event({ type: "request_end", status: "completed" });
  return model({ type: "text", role: "assistant", text: `record ${i}: a short piece of an answer, as models write.` });
}

/** Both sides write the same messages; making them is not measured. */
const messages = () => Array.from({ length: RECORDS }, (_, i) => record(i));

export function appendFloor(folder: string) {
  const path = layout(folder).traceFile(REF, "2026-01-05", SID, 1);
  mkdirSync(dirname(path), { recursive: true });
  const all = messages();
  const start = performance.now();
  const fd = openSync(path, "a");
  for (const message of all) {
    writeSync(fd, `${JSON.stringify(message)}\n`);
    if (isCommitPoint(message)) fdatasyncSync(fd);
  }
  closeSync(fd);
  return { ms: performance.now() - start };
}

export async function appendWriter(folder: string) {
  const writer = TraceWriter.create(layout(folder), REF, SID, AT);
  const all = messages();
  const start = performance.now();
  for (const message of all) await writer.append([message]);
  writer.close();
  const ms = performance.now() - start;
  const same = readFileSync(writer.path, "utf8") === all.map((message) => `${JSON.stringify(message)}\n`).join("");
  return { ms, in_order: same };
}
