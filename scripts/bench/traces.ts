/** Traces at size: windows, analysis, lists of many Sessions, search. Each beside a floor of the same run. */
import {
  appendFileSync,
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { elide } from "../../lib/api/elide";
import { traceSearchQuery } from "../../lib/api/trace-search";
import { event, model, sessionMeta } from "../../lib/omni/build";
import type { OmniMessage } from "../../lib/omni/message";
import { analyse } from "../../lib/trace/analysis";
import { layout } from "../../server/paths";
import { TraceStore } from "../../server/trace/store";

export const REF = { project: "bench", agent: "bench" };
const words = "the quick brown fox reads a file, finds “nothing”, and says so \n";
const text = (bytes: number) => words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes);
const counts = (n: number) => ({ cache_read: n, cache_write: 100, output: 10, total: n + 110 });
const line = (message: OmniMessage) => `${JSON.stringify(message)}\n`;
export const sid = (n: number) => `session-2026-01-05-10-00-00-${n.toString(16).padStart(8, "0")}`;

/** One Request with a call in 8 records; `bytes` in all. */
function request(n: number, bytes: number): OmniMessage[] {
  const id = `call_${n}`;
  return [
    ...(n % 4 === 0 ? [model({ type: "text", role: "user", text: `prompt ${n} ${text(200)}` })] : []),
    event({ type: "request_begin" }),
    model({ type: "thinking", role: "assistant", thinking: text(bytes * 0.1) }),
    model({ type: "text", role: "assistant", text: text(bytes * 0.05) }),
    model({ type: "tool_call", role: "assistant", name: "exec_command", arguments: '{"cmd":"ls"}', tool_call_id: id }),
    event({ type: "approval_decision", decision: "allow", tool_call_id: id }),
    model({ type: "tool_call_output", role: "user", output: text(bytes * 0.8), tool_call_id: id }),
    event({ type: "token_usage", session: counts(n), request: counts(n) }),
    event({ type: "request_end", status: "completed" }),
  ];
}

export function writeTrace(
  root: string,
  session: string,
  { bytes, perRequest }: { bytes: number; perRequest: number },
  last?: string,
  ref = REF,
) {
  const path = layout(root).traceFile(ref, "2026-01-05", session, 1);
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, "w");
  let written = writeSync(
    fd,
    line(sessionMeta({ session_id: session, provider: "p", model_id: "m", workspace: "/w" })),
  );
  let records = 1;
  for (let n = 0; written < bytes; n++) {
    const messages = request(n, perRequest);
    written += writeSync(fd, messages.map(line).join(""));
    records += messages.length;
  }
  if (last) writeSync(fd, line(model({ type: "text", role: "assistant", text: last })));
  closeSync(fd);
  return { path, bytes: written, records };
}

/** `<data root>` -> a Trace of 200 MB in about 20,000 records. */
export function generateTrace(root: string) {
  return writeTrace(root, sid(1), { bytes: 200e6, perRequest: 80_000 });
}
/** `<data root>` -> the same under the first Agent of a new server, with a needle at its end, and one of a few lines. */
export function generateView(root: string) {
  const ref = { project: "default_project", agent: "default_agent" };
  const needle = "needle-in-the-last-record";
  const { bytes, records } = writeTrace(root, sid(1), { bytes: 200e6, perRequest: 80_000 }, needle, ref);
  writeTrace(root, sid(2), { bytes: 1_000, perRequest: 200 }, undefined, ref);
  return { large: sid(1), small: sid(2), bytes, records, needle };
}
/** `<data root>\n<count>` -> that many small Sessions. */
export function generateSessions(argument: string) {
  const [root = "", count = "0"] = argument.split("\n");
  const paths = Array.from(
    { length: Number(count) },
    (_, n) => writeTrace(root, sid(n), { bytes: 20_000, perRequest: 6_000 }).path,
  );
  return { count: paths.length };
}
/** `<data root>\n<megabytes>` -> Traces of 10 MB each, the newest of which holds a needle. */
export function generateLibrary(argument: string) {
  const [root = "", megabytes = "0"] = argument.split("\n");
  const count = Math.ceil(Number(megabytes) / 10);
  let bytes = 0;
  for (let n = 0; n < count; n++) {
    const needle = n === count - 1 || n === 0 ? "a Needle-in-the-library" : undefined;
    const made = writeTrace(root, sid(n), { bytes: 10e6, perRequest: 20_000 }, needle);
    utimesSync(made.path, 1_700_000_000 + n, 1_700_000_000 + n);
    bytes += made.bytes;
  }
  return { count, bytes };
}

export interface Measured {
  ms: number;
  more_mb: number;
  /** The longest that anybody else had to wait. */
  delay_ms: number;
}
export async function measured(run: () => Promise<unknown>): Promise<Measured> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.reset();
  // Counted is from one tick to the next: the first one must have been.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const start = performance.now();
  const kept = await run();
  const ms = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  const more_mb = (process.memoryUsage().rss - before) / 1e6;
  return { ms, more_mb: kept === null ? 0 : more_mb, delay_ms: delay.max / 1e6 };
}

const show = (message: OmniMessage) => JSON.stringify(elide(message));

/** Cold: nothing is known of the file but where it is. */
export function firstWindow(root: string) {
  const store = new TraceStore(layout(root));
  return measured(() => store.window(REF, sid(1), 1, { offset: 0, limit: 100 }, show));
}
export async function lastWindow(root: string) {
  const store = new TraceStore(layout(root));
  return measured(async () => {
    const [file] = await store.filesWithLines(REF, sid(1));
    const total = file?.lines ?? 0;
    return store.window(REF, sid(1), 1, { offset: total - 100, limit: 100 }, show);
  });
}
export function analysis(root: string) {
  const store = new TraceStore(layout(root));
  return measured(async () => {
    const session = await store.tasks(REF, sid(1));
    if (!session || session.tasks.length === 0) throw new Error("no Tasks");
    return analyse(session.tasks);
  });
}

/** The floor of a list: the first 16 KB of each file. */
export function headsFloor(root: string) {
  const disk = layout(root);
  return measured(async () => {
    const store = new TraceStore(disk);
    const piece = Buffer.alloc(16 * 1024);
    let bytes = 0;
    for (let n = 0; ; n++) {
      const path = disk.traceFile(REF, "2026-01-05", sid(n), 1);
      if (!statSync(path, { throwIfNoEntry: false })) break;
      const fd = openSync(path, "r");
      bytes += readSync(fd, piece);
      closeSync(fd);
    }
    return { store, bytes };
  });
}
export async function sessionList(root: string) {
  const store = new TraceStore(layout(root));
  const cold = await measured(() => store.newest(REF));
  await store.newest(REF);
  const warm = await measured(async () => (await store.newest(REF)).slice(0, 50));
  const seen = await seenAfter(root, store);
  return { cold, warm, seen, count: (await store.newest(REF)).length };
}

/** How long the page shows the old state after another program added, changed and removed a file. Milliseconds. */
async function seenAfter(root: string, store: TraceStore) {
  const session = "added-by-another-program";
  const shown = async () => (await store.newest(REF)).find(({ session_id }) => session_id === session);
  /** The page looks every two seconds. */
  const until = async (holds: (one: Awaited<ReturnType<typeof shown>>) => boolean) => {
    const start = performance.now();
    while (!holds(await shown())) await new Promise((resolve) => setTimeout(resolve, 2000));
    return performance.now() - start;
  };
  const { path } = writeTrace(root, session, { bytes: 2_000, perRequest: 500 });
  const added = await until((one) => one !== undefined);
  // The folder has come to rest: from now on nothing but the file itself tells that it grew.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const bytes = statSync(path).size;
  appendFileSync(path, line(event({ type: "request_begin" })));
  const changed = await until((one) => (one?.bytes ?? 0) > bytes);
  rmSync(path);
  return { added, changed, removed: await until((one) => one === undefined) };
}

/** Reading everything once, as fast as it goes. */
export function readFloor(argument: string) {
  const [root = "", count = "0"] = argument.split("\n");
  const disk = layout(root);
  return measured(async () => {
    let bytes = 0;
    for (let n = 0; n < Number(count); n++) {
      const path = disk.traceFile(REF, "2026-01-05", sid(n), 1);
      for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) bytes += chunk.length;
    }
    return bytes;
  });
}
export async function search(root: string) {
  const store = new TraceStore(layout(root));
  let first = 0;
  let hits = 0;
  const all = await measured(async () => {
    const start = performance.now();
    const query = traceSearchQuery.parse({ q: "needle-IN-the-library" });
    for await (const found of store.search(REF.project, [REF.agent], "ann", query)) {
      if (!("hit" in found)) continue;
      hits++;
      first ||= performance.now() - start;
    }
    return hits;
  });
  return { ...all, first_ms: first, hits };
}
