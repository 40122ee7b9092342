/**
 * Many Sessions at once, each with one Task after the other, for a while. Nothing may be lost: each prompt is recorded
 * once, each call has one output, each record was shown once and in order. Event-loop delay and memory of the runtime
 * are measured beside it.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { DEFAULT_AGENT, DEFAULT_PROJECT, layout } from "../../server/paths";
import { lowerPriority } from "../../server/workspace/priority.mjs";
import { Disk, promptsOf, type TraceOnDisk } from "./disk";
import { figures, type Shown } from "./orders";
import { ProviderProcess } from "./provider-client";
import { BareServer } from "./server";

const options = z.object({ sessions: z.number(), seconds: z.number(), seed: z.number() });
/** Memory is looked at in the second and in the last quarter: by then each conversation has been compacted, more than once. */
const EARLY = [3 / 8, 1 / 2];
const LATE = [7 / 8, 1];
/** The provider and this process stand for other machines: ahead of the commands, behind the server. */
const OTHERS_NICER = 5;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What subscribers were shown, by file: the lines in their order. */
class Seen {
  readonly #lines = new Map<string, number[]>();
  readonly note = ({ session, file, line }: Shown) => {
    const key = `${session}/${file}`;
    const lines = this.#lines.get(key);
    if (lines) lines.push(line);
    else this.#lines.set(key, [line]);
  };
  faults({ session, index, lines }: TraceOnDisk): string[] {
    const shown = this.#lines.get(`${session}/${index}`) ?? [];
    const whole = shown.length === lines.length && shown.every((line, at) => line === at + 1);
    return whole ? [] : [`${session}_${index}: ${lines.length} records, shown ${shown.length}, or out of order`];
  }
}

function faultsOf(files: TraceOnDisk[], prompts: string[], seen: Seen): string[] {
  const faults = files.flatMap((file) => seen.faults(file));
  const lines = files.flatMap((file) => file.lines);
  const session = files[0]?.session ?? "a Session without a Trace";
  if (lines.includes(null)) faults.push(`${session}: a line does not parse`);
  const recorded = promptsOf(files);
  for (const id of prompts)
    if (recorded.get(id) !== 1) faults.push(`${session}: ${id} recorded ${recorded.get(id)} times`);
  const outputs = new Map<string, number>();
  for (const line of lines) {
    const id = line?.payload.tool_call_id ?? "";
    if (line?.payload.type === "tool_call") outputs.set(id, outputs.get(id) ?? 0);
    if (line?.payload.type === "tool_call_output") outputs.set(id, (outputs.get(id) ?? 0) + 1);
  }
  for (const [id, count] of outputs) if (count !== 1) faults.push(`EN3: ${session}: call ${id} has ${count} outputs`);
  const count = (type: string) => lines.filter((line) => line?.payload.type === type).length;
  if (count("request_begin") !== count("request_end")) faults.push(`TR3: ${session}: an unpaired request_begin`);
  return faults;
}

interface Working {
  id: string;
  /** client_ids of its prompts. */
  sent: string[];
}

/** One Session's share: one Task after the other until the time is over. */
async function workIn(
  server: BareServer,
  { id: session, sent }: Working,
  until: number,
  faults: string[],
): Promise<void> {
  while (Date.now() < until) {
    const client_id = `${session.slice(-8)}t${sent.length}`;
    sent.push(client_id);
    const text = `JOB ${client_id} steps=3 pace=10`;
    const error = await server.ask({ op: "run", session, client_id, text }).catch((thrown: Error) => thrown.message);
    if (error !== null) faults.push(`${session}: ${client_id} failed: ${JSON.stringify(error)}`);
  }
}

/** MB of heap after a collection, at these parts of the time. */
async function heapAt(server: BareServer, parts: number[], seconds: number): Promise<number> {
  const began = Date.now();
  const looks: number[] = [];
  for (const part of parts) {
    await wait(began + part * seconds * 1000 - Date.now());
    looks.push(figures.parse(await server.ask({ op: "figures", reset: false, collect: true })).heap_mb);
  }
  return looks.reduce((sum, mb) => sum + mb, 0) / looks.length;
}

async function measure(server: BareServer, disk: Disk, seen: Seen, given: z.infer<typeof options>) {
  const faults: string[] = [];
  const made = Array.from({ length: given.sessions }, (_, n) =>
    server.ask({ op: "create", client_id: `load${n}`, mode: n % 5 === 0 ? "always-ask" : "allow-all" }),
  );
  const sessions: Working[] = z
    .array(z.string())
    .parse(await Promise.all(made))
    .map((id) => ({ id, sent: [] }));
  // The first Task of each compiles what the others use.
  await Promise.all(sessions.map((session) => workIn(server, session, Date.now() + 1, faults)));
  const start = figures.parse(await server.ask({ op: "figures", reset: true, collect: false }));
  const until = Date.now() + given.seconds * 1000;
  const work = Promise.all(sessions.map((session) => workIn(server, session, until, faults)));
  const [early_mb, late_mb] = await Promise.all([EARLY, LATE].map((parts) => heapAt(server, parts, given.seconds)));
  await work;
  const last = figures.parse(await server.ask({ op: "figures", reset: false, collect: false }));
  let [records, tasks] = [0, 0];
  for (const { id, sent } of sessions) {
    const files = disk.files(id);
    records += files.reduce((sum, { lines }) => sum + lines.length, 0);
    tasks += sent.length;
    faults.push(...faultsOf(files, sent, seen));
  }
  return {
    faults,
    tasks,
    records,
    start: start.loop,
    loop: last.loop,
    rss_mb: last.rss_mb,
    heap: { early_mb, late_mb },
  };
}

/** `{"sessions":50,"seconds":120,"seed":1}` -> faults and figures. */
export async function load(argument: string) {
  process.on("disconnect", () => process.exit(1));
  const given = options.parse(JSON.parse(argument));
  const base = await mkdtemp(join(tmpdir(), "penguin-load-"));
  const workspace = join(base, "work");
  await mkdir(workspace);
  const provider = await ProviderProcess.start(given.seed);
  const root = join(base, "data");
  const seen = new Seen();
  let server: BareServer | null = null;
  try {
    server = new BareServer(seen.note, true);
    // What is started inherits it, so the server comes first.
    for (const pid of [provider.pid, process.pid]) lowerPriority(pid, OTHERS_NICER);
    await server.start({ root, workspace, provider: `${provider.url}/v1`, turns: 20 });
    const disk = new Disk(layout(root).traces({ project: DEFAULT_PROJECT, agent: DEFAULT_AGENT }));
    const { faults, ...rest } = await measure(server, disk, seen, given);
    const { violations, requests } = await provider.state();
    return { faults: [...faults, ...violations.map((one) => `the provider refused: ${one}`)], ...rest, requests };
  } finally {
    await server?.kill();
    provider.stop();
    await rm(base, { recursive: true, force: true });
  }
}
