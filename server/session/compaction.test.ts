import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { OmniMessage } from "../../lib/omni/message";
import { readPlainly } from "../../lib/trace/fixtures/plain-reader";
import { parseTrace } from "../../lib/trace/jsonl";
import { type Answer, answer, ScriptedLlm, type Step, sequence } from "../engine/testing/script";
import type { Session } from "./session";
import { AGENT, idle, Reader, type TestServer, testServer, text, until } from "./testing/host";

const servers: TestServer[] = [];
async function serve(...answers: Answer[]): Promise<{ server: TestServer; llm: ScriptedLlm; session: Session }> {
  const llm = new ScriptedLlm(answers);
  const server = await testServer(llm);
  servers.push(server);
  const session = await server.registry.create(AGENT, { approval_mode: "allow-all" }, { id: "ann" });
  return { server, llm, session };
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove();
});

const say = (value: string, ...more: Step[]) => answer({ say: value }, ...more, { usage: 5 });
const summary = (value = "what was") => say(`[summary]${value}[/summary]`);
const S = (value = "what was") => `[context_summary]\n${value}\n[/context_summary]`;

async function send(session: Session, id: string): Promise<void> {
  await session.submit({ id, parts: text(id), author: "ann" }, false);
  await idle(session);
}
async function compact(session: Session): Promise<void> {
  await session.compact("ann");
  await idle(session);
}
async function reopen(server: TestServer, session: Session): Promise<Session> {
  server.restart();
  const again = await server.registry.open(session.ref);
  if (!again) throw new Error("not found");
  return again;
}
async function paths({ host }: TestServer, { ref }: Session): Promise<string[]> {
  const files = await host.store.files(AGENT, ref.session);
  return files.map(({ date, index }) => host.layout.traceFile(AGENT, date, ref.session, index));
}
async function contents(server: TestServer, session: Session): Promise<string[]> {
  return Promise.all((await paths(server, session)).map((path) => readFile(path, "utf8")));
}
const order = (file = "") =>
  sequence(parseTrace(file).records.map(({ message }) => message))
    .replaceAll("session_info", "I")
    .replace(/U(?= I)/, "S");
const lastRequest = (llm: ScriptedLlm) =>
  (llm.requests.at(-1)?.history ?? []).map((payload) => (payload.type === "text" ? payload.text : payload.type));
const infoOf = (file = "") =>
  parseTrace(file).records.flatMap(({ message }) => (message.payload.type === "session_info" ? [message.payload] : []));

describe("POST compact", () => {
  it("answers with a precise code, before and after a restart", async () => {
    const { server, session } = await serve(say("one"), summary());
    await expect(session.compact("ann")).rejects.toMatchObject({ code: "nothing_to_compact" });
    await send(session, "t1");
    await compact(session);
    await expect(session.compact("ann")).rejects.toMatchObject({ code: "already_compacted" });
    const again = await reopen(server, session);
    await expect(again.compact("ann")).rejects.toMatchObject({ code: "already_compacted" });
    await again.patch({ title: "x" }, "ann");
    const later = await reopen(server, session);
    await expect(later.compact("ann")).rejects.toMatchObject({ code: "already_compacted" });
  });

  it("compaction: false is compaction_not_configured", async () => {
    const { server, session } = await serve(say("one"));
    server.config += "compaction: false\n";
    await send(session, "t1");
    await expect(session.compact("ann")).rejects.toMatchObject({ code: "compaction_not_configured" });
    expect(session.status).toBe("idle");
  });

  it("TP04 CP01: refused while a call waits for a person and while an answer streams; then one pair, one new file", async () => {
    const { server, session } = await serve(
      answer({ call: "work", id: "1" }, { usage: 300_000 }),
      summary(),
      say("done"),
      say("on"),
    );
    await session.patch({ approval_mode: "always-ask" }, "ann");
    await session.submit({ id: "t1", parts: text("t1"), author: "ann" }, false);
    await until(() => session.approvals.pending().length === 1);
    await expect(session.compact("ann")).rejects.toMatchObject({ code: "task_in_progress" });
    await expect(session.compact("ann")).rejects.toMatchObject({ code: "task_in_progress" });
    session.approvals.decide(session.approvals.pending()[0]?.id ?? "", "allow", "ann");
    await idle(session);
    await send(session, "t2");
    const files = await contents(server, session);
    expect(files).toHaveLength(2);
    expect(order(files[0])).toMatch(/ D1 .*O1.* CB U B A K E\(completed\) CE\(completed\)$/);
    expect(order(files[1])).toBe("M S I B A K E(completed) U B A K E(completed)");
  });

  it("state, records and the summary's text are streamed; the same call again is told `compacting`", async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { session } = await serve(
      say("one"),
      answer({ say: "[summary]half" }, { wait: gate }, { say: " done[/summary]" }),
    );
    await send(session, "t1");
    const reader = new Reader();
    session.subscribe(null, reader);
    await session.compact("ann");
    await until(() => reader.records.at(-1)?.message.payload.type === "text" && reader.state.state === "compacting");
    await expect(session.compact("ann")).rejects.toMatchObject({ code: "compacting" });
    expect(
      reader.frames.some((frame) => frame.event === "message" && frame.data.message.payload.type === "partial_text"),
    ).toBe(true);
    go();
    await idle(session);
    expect(reader.state).toEqual({ state: "idle" });
    expect(reader.records.at(-1)?.message.payload).toMatchObject({ type: "compaction_end", status: "completed" });
  });

  it("EN7: Stop ends it; the context stays and the next prompt has all of it", async () => {
    const { server, llm, session } = await serve(say("one"), answer({ hang: "[summary]ha" }), say("two"));
    await send(session, "t1");
    await session.compact("ann");
    await until(() => session.records.at(-1)?.message.payload.type === "request_begin");
    expect(session.abort("ann")).toBe(true);
    await idle(session);
    await send(session, "t2");
    expect(lastRequest(llm)).toEqual(["t1", "one", "t2"]);
    const [file] = await contents(server, session);
    expect(order(file)).toMatch(/CB U B A E\(aborted\) CE\(aborted\) X U B A K E\(completed\)$/);
  });

  it("a message sent meanwhile waits for it", async () => {
    const { llm, session } = await serve(say("one"), summary(), say("two"));
    await send(session, "t1");
    const compaction = session.compact("ann");
    await compaction;
    await session.submit({ id: "t2", parts: text("t2"), author: "ann" }, true);
    await until(() => llm.requests.length === 3 && session.status === "idle");
    expect(lastRequest(llm)).toEqual([S(), "t2"]);
  });
});

describe("TR7: rotation", () => {
  it("the next write opens the new file in one piece: meta, summary, settings, prompt; the old one is left alone", async () => {
    const { server, llm, session } = await serve(say("one"), summary(), say("two"));
    await send(session, "t1");
    await compact(session);
    const [before] = await contents(server, session);
    expect(await paths(server, session)).toHaveLength(1);
    expect(readPlainly(before ?? "")).toMatchObject({ context_closed: true, pending_summary: S(), session_tokens: 10 });
    await send(session, "t2");
    const [first, second = ""] = await contents(server, session);
    expect(first).toBe(before);
    expect(order(second)).toBe("M S I U B A K E(completed)");
    expect(lastRequest(llm)).toEqual([S(), "t2"]);
    const plain = readPlainly(second);
    expect(plain.history.map(({ text: value }) => value)).toEqual([S(), "t2", "two"]);
    expect(plain.session_tokens).toBe(15);
  });

  it.each(["here", "after a restart"])("a rename after a compaction keeps the summary, %s", async (where) => {
    const { server, llm, session } = await serve(say("one"), summary(), say("two"), say("three"));
    await send(session, "t1");
    await compact(session);
    let now = where === "here" ? session : await reopen(server, session);
    await now.patch({ title: "named" }, "ann");
    const [, second = ""] = await contents(server, session);
    expect(order(second)).toBe("M S I");
    expect(infoOf(second)).toMatchObject([{ title: "named" }]);
    expect(readPlainly(second).carry_over).toMatchObject([{ text: S() }]);
    if (where !== "here") now = await reopen(server, session);
    await send(now, "t2");
    expect(lastRequest(llm)).toEqual([S(), "t2"]);
    expect(order((await contents(server, session))[1])).toBe("M S I U B A K E(completed)");
    await send(now, "t3");
    expect(lastRequest(llm)).toEqual([S(), "t2", "two", "t3"]);
  });

  it("in the middle of a Task: the Task goes on in the new file", async () => {
    const { server, llm, session } = await serve(
      answer({ call: "work", id: "1" }, { usage: 200_000 }),
      summary("called work"),
      answer({ call: "work", id: "2" }, { usage: 7 }),
      say("fin"),
    );
    await send(session, "t1");
    const files = await contents(server, session);
    expect(files.map(order)).toEqual([
      expect.stringMatching(/O1.* CB U B A K E\(completed\) CE\(completed\)$/),
      expect.stringMatching(/^M S I B C2 .*O2.* B A K E\(completed\)$/),
    ]);
    expect(lastRequest(llm)).toEqual([S("called work"), "tool_call", "tool_call_output"]);
    const again = await reopen(server, session);
    await send(again, "t2");
    expect(lastRequest(llm)).toEqual([S("called work"), "tool_call", "tool_call_output", "fin", "t2"]);
  });

  it("CP08: what lies before the new file goes on being counted, here and after a restart", async () => {
    const { server, session } = await serve(say("one"), say("two"), summary(), say("three"));
    for (const id of ["t1", "t2"]) await send(session, id);
    await compact(session);
    await send(session, "t3");
    const reader = new Reader();
    session.subscribe(null, reader);
    const again = new Reader();
    (await reopen(server, session)).subscribe(null, again);
    for (const { frames } of [reader, again]) {
      const snapshot = frames[0]?.event === "snapshot" ? frames[0].data : null;
      expect(snapshot?.prior).toMatchObject({ more: true, tasks: 3, tokens: { total: 15 } });
    }
  });

  it("discard: the next prompt begins anew, in a new file without a summary", async () => {
    const { server, llm, session } = await serve(say("one"), say("two"));
    server.config += "compaction: { mode: discard }\n";
    await send(session, "t1");
    await compact(session);
    await send(session, "t2");
    const files = await contents(server, session);
    expect(files.map(order)).toEqual([
      expect.stringMatching(/CB\(discard\) CE\(completed\)$/),
      "M I U B A K E(completed)",
    ]);
    expect(lastRequest(llm)).toEqual(["t2"]);
  });
});

describe("what a compaction leaves when it is cut off", () => {
  it("RS4: a dangling one is closed as failed by the next append, not by opening", async () => {
    const { server, llm, session } = await serve(say("one"), answer({ hang: "x" }), say("two"));
    await send(session, "t1");
    await session.compact("ann");
    await until(() => session.records.at(-1)?.message.payload.type === "request_begin");
    const [before] = await contents(server, session);
    const again = await reopen(server, session);
    expect(again.status).toBe("idle");
    expect((await contents(server, session))[0]).toBe(before);
    await send(again, "t2");
    const [after = ""] = await contents(server, session);
    expect(order(after)).toMatch(/CB U B CE\(failed\) U B A K E\(completed\)$/);
    expect(lastRequest(llm)).toEqual(["t1", "one", "t2"]);
    session.abort("ann");
  });

  it("EN7: shutdown during a compaction closes it as aborted; right after one it writes nothing", async () => {
    const { server, session } = await serve(say("one"), answer({ hang: "x" }));
    await send(session, "t1");
    await session.compact("ann");
    await until(() => session.records.at(-1)?.message.payload.type === "request_begin");
    server.registry.closeAll("server shut down");
    const [file = ""] = await contents(server, session);
    expect(order(file)).toMatch(/CB U B (A )?E\(aborted\) CE\(aborted\) X$/);
    const records = parseTrace(file).records.map(({ message }) => message);
    expect(records.at(-2)?.payload).toMatchObject({ reason: "manual", mode: "summarize" });
  });

  it("a closure without a summary is void: the file goes on", async () => {
    const { server, llm, session } = await serve(say("one"), say("two"));
    await send(session, "t1");
    const [path = ""] = await paths(server, session);
    const { appendFile } = await import("node:fs/promises");
    const line = (payload: OmniMessage["payload"]) =>
      `${JSON.stringify({ timestamp: new Date().toISOString(), type: "event_msg", payload })}\n`;
    const compaction = { reason: "manual", mode: "summarize" };
    await appendFile(
      path,
      [
        line({ type: "compaction_begin", ...compaction }),
        line({ type: "request_begin" }),
        line({ type: "request_end", status: "completed" }),
        line({ type: "compaction_end", ...compaction, status: "completed" }),
      ].join(""),
    );
    const again = await reopen(server, session);
    await send(again, "t2");
    expect(await paths(server, session)).toHaveLength(1);
    expect(lastRequest(llm)).toContain("one");
  });
});

describe("settings stay within reach of lists", () => {
  it("2.2: session_info again before a compaction when the last lies more than 32 KiB back, never after its end", async () => {
    const { server, session } = await serve(
      answer({ say: "x".repeat(40_000) }, { usage: 300_000 }),
      say(`[summary]${"y".repeat(40_000)}[/summary]`),
    );
    await send(session, "t1");
    const [file] = await contents(server, session);
    expect(order(file)).toBe("M I U B A K E(completed) I CB U B A K E(completed) CE(completed)");
  });

  it("2.2: how far back they lie is known after a restart too", async () => {
    const { server, session } = await serve(answer({ say: "x".repeat(20_000) }, { usage: 5 }));
    await send(session, "t1");
    await send(await reopen(server, session), "t2");
    const [file] = await contents(server, session);
    expect(order(file)).toBe("M I U B A K E(completed) U B A K E(completed) I");
  });
});
