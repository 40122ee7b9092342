/** Replay of a large Trace: store.read + resume, and as floor a streaming JSON.parse that keeps the records. */
import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { event, model, sessionMeta } from "../../lib/omni/build";
import type { OmniMessage } from "../../lib/omni/message";
import { resume } from "../../lib/trace/resume";
import { layout } from "../../server/paths";
import { TraceStore } from "../../server/trace/store";

const REF = { project: "bench", agent: "bench" };
const SID = "session-2026-01-05-10-00-00-0123abcd";
const words = "the quick brown fox reads a file, finds “nothing”, and says so \n";
const text = (bytes: number) => words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes);
const counts = (n: number) => ({ cache_read: 0, cache_write: n, output: 1, total: n + 1 });

/** One Request with a tool call, as an Agent at work writes it: about 14 KB in 9 records. */
function request(n: number): OmniMessage[] {
  const id = `call_${n}`;
  return [
    ...(n % 5 === 0 ? [model({ type: "text", role: "user", text: text(400) })] : []),
    event({ type: "request_begin" }),
    model({ type: "thinking", role: "assistant", thinking: text(1500), fidelity: { signature: text(300) } }),
    model({ type: "text", role: "assistant", text: text(600) }),
    model({ type: "tool_call", role: "assistant", name: "exec_command", arguments: '{"cmd":"ls"}', tool_call_id: id }),
    event({ type: "approval_decision", decision: "allow", tool_call_id: id }),
    model({ type: "tool_call_output", role: "user", output: text(n % 7 === 0 ? 40_000 : 4_000), tool_call_id: id }),
    event({ type: "token_usage", session: counts(n), request: counts(n) }),
    event({ type: "request_end", status: "completed" }),
  ];
}

/** `<data root>\n<megabytes>` -> a Trace of that size. */
export function generate(argument: string) {
  const [root = "", megabytes = "0"] = argument.split("\n");
  const path = layout(root).traceFile(REF, "2026-01-05", SID, 1);
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, "w");
  let bytes = writeSync(fd, line(sessionMeta({ session_id: SID, provider: "p", model_id: "m", workspace: "/w" })));
  let records = 1;
  for (let n = 0; bytes < Number(megabytes) * 1e6; n++) {
    const messages = request(n);
    bytes += writeSync(fd, messages.map(line).join(""));
    records += messages.length;
  }
  closeSync(fd);
  return { path, bytes, records };
}
const line = (message: OmniMessage) => `${JSON.stringify(message)}\n`;

/** Wall time and the highest resident size of this process. */
async function measured(run: () => Promise<number>) {
  globalThis.gc?.();
  const start = performance.now();
  const records = await run();
  const ms = performance.now() - start;
  return { ms, records, peak_mb: process.resourceUsage().maxRSS / 1024 };
}

export function replayFloor(path: string) {
  const kept: unknown[] = [];
  return measured(async () => {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      let block: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      for (let at = block.indexOf(10); at !== -1; at = block.indexOf(10)) {
        kept.push(JSON.parse(block.toString("utf8", 0, at)));
        block = block.subarray(at + 1);
      }
      rest = block;
    }
    return kept.length;
  });
}

export function replayStore(root: string) {
  const store = new TraceStore(layout(root));
  const kept: unknown[] = [];
  return measured(async () => {
    const file = await store.read(REF, SID, 1);
    if (!file) throw new Error("the Trace is missing");
    const resumed = resume([file]);
    if (!resumed.ok || resumed.history.length === 0) throw new Error("the Trace does not resume");
    kept.push(file, resumed);
    return file.records.length;
  });
}
