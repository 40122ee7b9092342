/** RS6 as a check: the write that opens a rotated file is cut off at a byte, and the Session goes on all the same. */
import { readFile, truncate, writeFile } from "node:fs/promises";
import { expect } from "vitest";
import { readPlainly } from "../../../lib/trace/fixtures/plain-reader";
import { parseTrace } from "../../../lib/trace/jsonl";
import { answer, historyProblem, ScriptedLlm } from "../../engine/testing/script";
import type { Session } from "../session";
import { AGENT, idle, type TestServer, testServer, text } from "./host";

const SUMMARY = "[context_summary]\nwhat was\n[/context_summary]";
const say = (value: string) => answer({ say: value }, { usage: 5 });

export interface RotationCuts {
  server: TestServer;
  /** Bytes of the new file up to and with the prompt that opened it. */
  head: number;
  /** Where its lines end. */
  borders: number[];
  /** Cuts at this byte; resumes, writes on, resumes, writes on, and looks at what the model and another reader get. */
  check(bytes: number): Promise<void>;
}

export async function rotationCuts(): Promise<RotationCuts> {
  const llm = new ScriptedLlm([say("one"), say("[summary]what was[/summary]"), say("more")]);
  const server = await testServer(llm);
  const session = await server.registry.create(AGENT, { approval_mode: "allow-all" }, { id: "ann" });
  await session.patch({ title: "named" }, "ann");
  await send(session, "t1");
  await session.compact("ann");
  await idle(session);
  await send(session, "t2");
  const file = (await server.host.store.files(AGENT, session.ref.session)).at(-1);
  const path = server.host.layout.traceFile(AGENT, file?.date ?? "", session.ref.session, file?.index ?? 0);
  const whole = await readFile(path);
  const head = whole.indexOf("\n", whole.indexOf('"t2"')) + 1;
  const borders = [...whole.subarray(0, head).entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []));
  const asked = () => llm.requests.at(-1)?.history.map((one) => (one.type === "text" ? one.text : one.type)) ?? [];
  const resumed = async () => {
    server.restart();
    const again = await server.registry.open(session.ref);
    if (!again) throw new Error("not found");
    return again;
  };
  const check = async (bytes: number) => {
    await writeFile(path, whole);
    await truncate(path, bytes);
    const first = await resumed();
    expect(first.settings.title).toBe("named");
    await send(first, "t3");
    expect([asked()[0], asked().at(-1)], `cut at ${bytes}`).toEqual([SUMMARY, "t3"]);
    expect(asked().filter((value) => value === SUMMARY)).toHaveLength(1);
    await send(await resumed(), "t4");
    expect([asked()[0], ...asked().slice(-3)]).toEqual([SUMMARY, "t3", "more", "t4"]);
    expect(historyProblem(llm.requests.at(-1)?.history ?? [])).toBe("");
    const raw = await readFile(path, "utf8");
    const { records, damaged } = parseTrace(raw);
    expect(damaged.length).toBeLessThanOrEqual(1);
    const usage = records.findLast(({ message }) => message.payload.type === "token_usage")?.message;
    expect(usage?.payload).toMatchObject({ session: { total: 20 } });
    expect(readPlainly(raw).history[0]).toMatchObject({ text: SUMMARY });
  };
  return { server, head, borders, check };
}

async function send(session: Session, id: string): Promise<void> {
  await session.submit({ id, parts: text(id), author: "ann" }, false);
  await idle(session);
}
