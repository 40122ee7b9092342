/**
 * Conformance with Traces of the reference implementation: what this server appends when a Session goes on, and
 * whether a healing newline comes first. The corpus is not part of the repository; without it this file says so.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { parseTraceFileName } from "../../lib/trace/name";
import { answer, ScriptedLlm } from "../engine/testing/script";
import { idle, type TestServer, testServer, text } from "./testing/host";

const shared = process.env.PENGUIN_SHARED ?? join(import.meta.dirname, "../../../shared");
const corpus = join(shared, "corpus");
const present = existsSync(join(corpus, "README.md"));
if (!present) console.warn(`corpus conformance SKIPPED: no corpus at ${corpus} (set PENGUIN_SHARED)`);

const PROBE = "PROBE: next user message after resume";
const SUMMARY_PROMPT = "Summarise the work so far between [summary] and [/summary].";

const record = z.object({ type: z.string(), payload: z.looseObject({ type: z.string().optional() }).optional() });
const appended = z.object({
  file: z.string(),
  new_file: z.boolean(),
  starts_with_heal_newline: z.boolean(),
  records: z.array(record),
});
const expectations = z.record(z.string(), z.object({ appended: z.array(appended) }));
const cutPoint = z.looseObject({
  cut_bytes: z.number(),
  resume_error: z.string().optional(),
  heal_newline: z.boolean().optional(),
  appended_types: z.array(z.tuple([z.string(), z.array(z.string())])).optional(),
});
type Record = z.infer<typeof record>;

// ---- a data root --------------------------------------------------------------------------------------------------

const AGENT = { project: "default_project", agent: "default_agent" };
let server: TestServer;
beforeAll(async () => {
  server = await testServer(new ScriptedLlm([]));
});
afterAll(() => server.remove());

interface Place {
  session: string;
  index: number;
  path: string;
  content: string;
}
let roots = 0;

/** Puts Trace files where they belong, each Session in a Project of its own so that none meets another. */
async function put(session: string, files: { index: number; content: string }[]) {
  roots += 1;
  const ref = { project: `case_${roots}`, agent: AGENT.agent, session };
  const places: Place[] = [];
  for (const { index, content } of files) {
    const path = server.host.layout.traceFile(
      ref,
      session.slice("session-".length, "session-".length + 10),
      session,
      index,
    );
    const filled = content.replaceAll("@ROOT@", server.root).replaceAll("@WORKSPACE@", server.root);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, filled);
    places.push({ session, index, path, content: filled });
  }
  return { ref, places };
}

interface Written {
  index: number;
  fresh: boolean;
  healed: boolean;
  records: Record[];
}

/** What one more prompt appends, file by file; a string: why it was refused. */
async function goOn(given: Awaited<ReturnType<typeof put>>, compaction: object): Promise<Written[] | string> {
  const config = { system_prompt: "You are a test agent.", max_turns: -1, compaction };
  server.config = JSON.stringify(config);
  server.llm = new ScriptedLlm([
    answer({ say: "probe reply" }, { usage: 7 }),
    answer({ say: "(default reply)" }, { usage: 7 }),
  ]);
  const session = await server.registry.open(given.ref);
  if (!session) return "no Session";
  if (session.problem) return session.problem.message;
  await session.submit({ id: "probe", parts: text(PROBE), author: "ann" }, false);
  await idle(session);
  await session.dispose({ reason: "done" }, 1000);
  const files = await server.host.store.files(given.ref, given.ref.session);
  const written: Written[] = [];
  for (const { date, index } of files) {
    const before = given.places.find((place) => place.index === index)?.content;
    const now = await readFile(server.host.layout.traceFile(given.ref, date, given.ref.session, index), "utf8");
    if (now === before) continue;
    expect(now.startsWith(before ?? ""), "TR1").toBe(true);
    const added = now.slice((before ?? "").length);
    const records = added.split("\n").flatMap((line) => (line === "" ? [] : [record.parse(JSON.parse(line))]));
    written.push({ index, fresh: before === undefined, healed: added.startsWith("\n"), records });
  }
  return written;
}

// ---- comparing ----------------------------------------------------------------------------------------------------

const typeOf = ({ type, payload }: Record) => payload?.type ?? type;
/** Not compared: the tool list, which the meta holds here, and what is written here in addition. */
const ADDED = new Set(["tool_list_ready", "session_info"]);

/** Our records cut down to what theirs say, so that additive fields do not count. Numbers are the stand-in's. */
function comparable(records: Record[], like: Record[]): unknown[] {
  const theirs = like.filter((one) => !ADDED.has(typeOf(one)));
  return records
    .filter((one) => !ADDED.has(typeOf(one)))
    .map((one, at) => {
      const keys = Object.keys(theirs[at]?.payload ?? {}).filter((key) => key !== "context" && key !== "turns");
      if (one.type === "session_meta" || typeOf(one) === "token_usage") return typeOf(one);
      return Object.fromEntries(keys.map((key) => [key, one.payload?.[key]]));
    });
}

/** How the reference's Agent was configured, as far as these records tell. */
function compactionOf(records: Record[]): object {
  const begin = records.find((one) => typeOf(one) === "compaction_begin")?.payload;
  if (!begin) return { max_session_turns: -1, prompt: SUMMARY_PROMPT };
  return { max_session_turns: begin.turns, mode: begin.mode, prompt: SUMMARY_PROMPT };
}

function filesOf(folder: string, session: string) {
  return readdirSync(join(corpus, folder), { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const parts = parseTraceFileName(name.split("/").at(-1) ?? "");
    return parts?.session_id === session
      ? [{ index: parts.index, content: readFileSync(join(corpus, folder, name), "utf8") }]
      : [];
  });
}

async function verdict(folder: string, session: string, expected: z.infer<typeof appended>[]): Promise<string[]> {
  const all = expected.flatMap(({ records }) => records);
  const written = await goOn(await put(session, filesOf(folder, session)), compactionOf(all));
  if (typeof written === "string") return [written];
  const differs = (what: string, ours: unknown, theirs: unknown) =>
    JSON.stringify(ours) === JSON.stringify(theirs)
      ? []
      : [`${what}\n  ours   ${JSON.stringify(ours)}\n  theirs ${JSON.stringify(theirs)}`];
  const indexOf = (file: string) => Number(/_(\d+)\.jsonl$/.exec(file)?.[1]);
  return [
    ...differs(
      "files",
      written.map(({ index, fresh, healed }) => [index, fresh, healed]),
      expected.map((one) => [indexOf(one.file), one.new_file, one.starts_with_heal_newline]),
    ),
    ...expected.flatMap(({ records }, at) =>
      differs("records", comparable(written[at]?.records ?? [], records), comparable(records, records)),
    ),
  ];
}

describe.skipIf(!present)("corpus: what is appended", () => {
  it("RS3 TR5 TR7: every Session goes on in the file, and with the records, of the reference", async () => {
    const failures: string[] = [];
    let [sessions, records] = [0, 0];
    for (const folder of readdirSync(corpus).filter((name) => /^\d\d-/.test(name))) {
      const file = readFileSync(join(corpus, folder, "expected.json"), "utf8");
      for (const [session, { appended: expected }] of Object.entries(expectations.parse(JSON.parse(file)))) {
        sessions += 1;
        records += expected.flatMap((one) => one.records).length;
        const found = await verdict(folder, session, expected);
        if (found.length > 0) failures.push([`${folder} ${session}`, ...found].join("\n "));
      }
    }
    console.info(`appended: ${sessions - failures.length} of ${sessions} Sessions agree, ${records} records`);
    expect(failures.join("\n\n")).toBe("");
    expect(sessions).toBeGreaterThan(0);
  });
});

describe.skipIf(!present)("cut-sweep: what is appended", () => {
  const sweeps = present ? readdirSync(join(corpus, "cut-sweep")).filter((name) => name.endsWith(".cuts.jsonl")) : [];
  it.each(sweeps)("RS5 TR5: %s", { timeout: 60_000 }, async (name) => {
    const bytes = readFileSync(join(corpus, "cut-sweep", name.replace(".cuts.", ".trace.")));
    const { session_id: session } = z
      .object({ payload: z.object({ session_id: z.string() }) })
      .parse(JSON.parse(bytes.toString("utf8").split("\n")[0] ?? "")).payload;
    const all = readFileSync(join(corpus, "cut-sweep", name), "utf8")
      .trim()
      .split("\n");
    // Each one syncs to the disk several times: every third, unless there is time.
    const cuts = all.filter((_, at) => process.env.PENGUIN_SLOW || at % 3 === 0);
    const whole = bytes.toString("utf8").trim().split("\n");
    const compaction = compactionOf(whole.map((line) => record.parse(JSON.parse(line))));
    const failures: string[] = [];
    let healed = 0;
    for (const line of cuts) {
      const cut = cutPoint.parse(JSON.parse(line));
      const content = bytes.subarray(0, cut.cut_bytes).toString("utf8");
      const written = await goOn(await put(session, [{ index: 1, content }]), compaction);
      const types = (records: string[]) => records.filter((type) => !ADDED.has(type)).join(" ");
      const ours =
        typeof written === "string"
          ? "refused"
          : written.map(({ index, healed, records }) => `${index} ${healed} ${types(records.map(typeOf))}`).join("; ");
      const theirs = cut.resume_error
        ? "refused"
        : (cut.appended_types ?? [])
            .map(([file, all]) => `${Number(file.slice(0, 3))} ${cut.heal_newline} ${types(all)}`)
            .join("; ");
      healed += cut.heal_newline ? 1 : 0;
      if (ours !== theirs) failures.push(`cut at ${cut.cut_bytes}\n  ours   ${ours}\n  theirs ${theirs}`);
    }
    console.info(
      `${name}: ${cuts.length - failures.length} of ${cuts.length} cuts (there are ${all.length}) agree, ${healed} of them healed`,
    );
    expect(failures.join("\n")).toBe("");
  });
});
