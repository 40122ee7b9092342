import { appendFile, readdir, writeFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../../lib/api/errors";
import type { OmniMessage } from "../../lib/omni/message";
import { answer, failing, historyProblem, ScriptedLlm, ScriptedTools, sequence } from "../engine/testing/script";
import { AGENT, idle, Reader, type TestServer, testServer, text, until } from "./testing/host";

const servers: TestServer[] = [];
async function serve(llm: ScriptedLlm, tools?: ScriptedTools): Promise<TestServer> {
  const server = await testServer(llm, tools);
  servers.push(server);
  return server;
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove();
});

const ann = { id: "ann" };
const task = (id: string, value = id) => ({ id, parts: text(value), author: "ann" });
const order = (records: OmniMessage[]) => sequence(records).replaceAll("session_info", "I");
const allowAll = { approval_mode: "allow-all" as const };

describe("a new Session", () => {
  it("2.1: is in memory only; meta, settings and first prompt go to disk together", async () => {
    const server = await serve(new ScriptedLlm([answer({ say: "hello" }, { usage: 5 })]));
    const session = await server.registry.create(AGENT, {}, ann);
    expect(await server.host.store.files(AGENT, session.ref.session)).toEqual([]);
    await session.submit(task("t1", "hi"), false);
    await idle(session);
    const records = await server.records(session);
    expect(order(records)).toBe("M I U B A K E(completed)");
    expect(records[0]?.payload).toMatchObject({ provider: "fake", created_by: "ann", system_prompt: "be good" });
    expect(records[1]?.payload).toMatchObject({ approval_mode: "read-only", title: null, visibility: "team" });
    expect(records[2]?.payload).toMatchObject({ author: "ann", client_id: "t1" });
  });

  it("CC07: one client_id gives one Session, also side by side and after a restart", async () => {
    const server = await serve(new ScriptedLlm([answer({ say: "x" })]));
    const body = { client_id: "same" };
    const made = await Promise.all(Array.from({ length: 20 }, () => server.registry.create(AGENT, body, ann)));
    expect(new Set(made.map(({ ref }) => ref.session)).size).toBe(1);
    await made[0]?.submit(task("t1"), false);
    await until(() => made[0]?.status === "idle");
    server.restart();
    const again = await server.registry.create(AGENT, body, ann);
    expect(again.ref.session).toBe(made[0]?.ref.session);
  });

  it("a Workspace that does not exist is refused and nothing is made", async () => {
    const server = await serve(new ScriptedLlm([answer()]));
    const creation = server.registry.create(AGENT, { workspace: "/no/such/folder" }, ann);
    await expect(creation).rejects.toMatchObject({ code: "workspace_not_found" });
    expect(await readdir(server.root)).toEqual([]);
  });
});

describe("submitting", () => {
  it("CC08: of 20 parallel prompts one runs, the others are told; the same id starts nothing twice", async () => {
    const llm = new ScriptedLlm([answer({ say: "x" })]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    const different = Array.from({ length: 10 }, (_, i) => session.submit(task(`t${i}`), false));
    const same = Array.from({ length: 10 }, () => session.submit(task("t0"), false));
    const results = await Promise.allSettled([...different, ...same]);
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(9);
    expect(refused[0]).toMatchObject({ reason: { code: "task_in_progress" } });
    await idle(session);
    expect(llm.requests).toHaveLength(1);
    server.restart();
    const reopened = await server.registry.open(session.ref);
    expect(await reopened?.submit(task("t0"), false)).toEqual({ id: "t0" });
    expect(llm.requests).toHaveLength(1);
  });

  it("queued messages start in order, each once; one can be withdrawn", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const llm = new ScriptedLlm([answer({ wait: gate }, { say: "1" }), answer({ say: "2" })]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    for (const id of ["t2", "t3", "t4"]) await session.submit(task(id), true);
    expect((await session.recall("t3")).id).toBe("t3");
    await expect(session.recall("t3")).rejects.toMatchObject({ code: "not_found" });
    release();
    await until(() => session.status === "idle" && session.queue.items.length === 0);
    const prompts = (await server.records(session)).flatMap(({ payload }) =>
      payload.type === "text" && payload.role === "user" ? [payload.text] : [],
    );
    expect(prompts).toEqual(["t1", "t2", "t4"]);
    await expect(session.recall("t2")).rejects.toMatchObject({ code: "already_delivered" });
  });

  it("after a restart queued messages are drafts: shown, not sent by themselves", async () => {
    const server = await serve(new ScriptedLlm([answer({ hang: "..." })]));
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await session.submit(task("t2", "later"), true);
    await until(() => session.records.some(({ message }) => message.payload.type === "request_begin"));
    server.registry.closeAll();
    server.llm = new ScriptedLlm([answer({ say: "ok" })]);
    server.restart();
    const reopened = await server.registry.open(session.ref);
    if (!reopened) throw new Error("gone");
    const reader = new Reader();
    reopened.subscribe(null, reader);
    expect(reader.queue.items).toMatchObject([{ id: "t2", text: "later", author: "ann" }]);
    await reopened.submit(task("t3"), false);
    await idle(reopened);
    expect(reopened.queue.items).toHaveLength(1);
  });

  it("steering is delivered once and leaves the queue; what is too late is refused", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const llm = new ScriptedLlm([answer({ wait: gate }, { say: "1" }), answer({ say: "2" })]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await session.steer({ id: "s1", text: "mind", images: [] });
    await session.steer({ id: "s2", text: "no", images: [] });
    await session.recall("s2");
    release();
    await idle(session);
    expect(order(await server.records(session))).toBe("M I U B A E(completed) Z B A E(completed)");
    expect(session.queue.items).toEqual([]);
    await expect(session.steer({ id: "s3", text: "late", images: [] })).rejects.toMatchObject({ code: "not_running" });
    await expect(session.recall("s1")).rejects.toMatchObject({ code: "already_delivered" });
  });

  it("PV25 what is missing is named before anything is written, and /model is offered", async () => {
    const server = await serve(new ScriptedLlm([answer()]));
    const session = await server.registry.create(AGENT, {}, ann);
    server.host.models.resolve = async () => null;
    server.host.models.knowsProvider = async () => true;
    const missing = { provider: session.meta.provider, model_id: session.meta.model_id, missing: "model" };
    await expect(session.submit(task("t1"), false)).rejects.toMatchObject({
      code: "model_missing",
      message: expect.stringMatching(/no longer among the models of .* \/model /),
      details: missing,
    });
    server.host.models.knowsProvider = async () => false;
    await expect(session.submit(task("t1"), false)).rejects.toMatchObject({
      message: expect.stringMatching(/^The provider .* is no longer set up/),
      details: { missing: "provider" },
    });
    server.host.models.resolve = async () => {
      throw new AppError("forbidden", "This address lies in a private network.");
    };
    await expect(session.submit(task("t1"), false)).rejects.toMatchObject({ code: "model_forbidden" });
    expect(session.status).toBe("idle");
    expect(await server.host.store.files(AGENT, session.ref.session)).toEqual([]);
  });
});

describe("approvals", () => {
  async function asking(tools = new ScriptedTools()) {
    const llm = new ScriptedLlm([answer({ call: "work", id: "1" }), answer({ say: "ok" })]);
    const server = await serve(llm, tools);
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await until(() => session.approvals.pending().length === 1);
    const id = session.approvals.pending()[0]?.id ?? "";
    return { server, session, id, llm };
  }

  it("AP02: every reader sees the wait, late ones too; the first decision counts and says whose it was", async () => {
    const { server, session, id } = await asking();
    const reader = new Reader();
    session.subscribe(null, reader);
    expect([...reader.approvals]).toEqual([[id, "1"]]);
    expect(session.approvals.decide(id, "allow", "bob")).toMatchObject({ first: true });
    expect(session.approvals.decide(id, "deny", "ann")).toMatchObject({
      first: false,
      decided: { decision: "allow", by: "bob" },
    });
    expect(session.approvals.decide("made-up", "allow", "ann")).toBeNull();
    await idle(session);
    expect(reader.approvals.size).toBe(0);
    const decision = (await server.records(session)).find(({ payload }) => payload.type === "approval_decision");
    expect(decision?.payload).toMatchObject({ decision: "allow", by: "bob", tool_call_id: "1" });
  });

  it("a mode applies to the next decision, also in the middle of a Task", async () => {
    const { server, session, id } = await asking();
    server.llm = new ScriptedLlm([answer({ call: "work", id: "2" }), answer({ say: "done" })]);
    await session.patch(allowAll, "ann");
    expect(session.approvals.pending()).toHaveLength(1);
    session.approvals.decide(id, "deny", "ann");
    await idle(session);
    await session.submit(task("t2"), false);
    await idle(session);
    const decisions = (await server.records(session)).flatMap(({ payload }) =>
      payload.type === "approval_decision" ? [`${payload.decision} ${payload.by}`] : [],
    );
    expect(decisions).toEqual(["deny ann", "allow mode:allow-all"]);
  });

  it("AP01: Stop takes the question away; a late click is told, nothing runs, the next prompt works", async () => {
    const tools = new ScriptedTools();
    const { server, session, id } = await asking(tools);
    expect(session.abort("bob")).toBe(true);
    await idle(session);
    expect(session.approvals.decide(id, "allow", "ann")).toMatchObject({
      first: false,
      decided: { decision: "deny", by: "bob" },
    });
    expect(tools.started).toEqual([]);
    expect(order(await server.records(session))).toBe("M I U B C1 D1 O1 E(completed) X");
    await session.submit(task("t2"), false);
    await idle(session);
    expect(order(await server.records(session))).toMatch(/X U B A E\(completed\)$/);
  });
});

describe("the end of the process", () => {
  it("EN7, AP01: closing records are written synchronously; after a restart nothing waits, and the Session goes on", async () => {
    const tools = new ScriptedTools(() => new Promise(() => {}));
    const llm = new ScriptedLlm([answer({ call: "look", id: "1" }, { call: "work", id: "2" }, { hang: "text" })]);
    const server = await serve(llm, tools);
    const session = await server.registry.create(AGENT, {}, ann);
    const reader = new Reader();
    session.subscribe(null, reader);
    await session.submit(task("t1"), false);
    await until(() => session.approvals.pending().length === 1 && reader.open.length > 1);
    const asked = session.approvals.pending()[0]?.id ?? "";
    server.registry.closeAll("server shut down");
    const raw = await server.raw(session);
    expect(order(await server.records(session))).toBe("M I U B C1 D1 C2 A O1 D2 O2 E(aborted) X");
    expect(reader.ended).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await server.raw(session)).toBe(raw);

    const next = new ScriptedLlm([answer({ say: "back" })]);
    server.llm = next;
    server.restart();
    const reopened = await server.registry.open(session.ref);
    expect(await server.raw(session)).toBe(raw);
    expect(reopened?.approvals.pending()).toEqual([]);
    expect(reopened?.approvals.decide(asked, "allow", "ann")).toBeNull();
    await reopened?.submit(task("t2"), false);
    await until(() => reopened?.status === "idle");
    expect(historyProblem(next.requests[0]?.history ?? [])).toBe("");
    expect(JSON.stringify(next.requests[0]?.history)).toContain("[turn_aborted]");
  });

  it("RS4, RS5: cut at any byte, opening writes nothing and the next Request is legal", async () => {
    const llm = new ScriptedLlm([answer({ call: "work", id: "1" }, { usage: 1 }), answer({ say: "ok" }, { usage: 2 })]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, allowAll, ann);
    await session.submit(task("t1"), false);
    await idle(session);
    await session.dispose({ reason: "test" }, 0);
    const whole = await server.raw(session);
    const [file] = await server.host.store.files(AGENT, session.ref.session);
    const path = server.host.layout.traceFile(AGENT, file?.date ?? "", session.ref.session, 1);
    const headEnd = whole.indexOf("\n") + 1;
    for (let cut = headEnd; cut < whole.length; cut += 41) {
      await writeFile(path, whole.slice(0, cut));
      const next = new ScriptedLlm([answer({ say: "again" })]);
      server.llm = next;
      server.restart();
      const reopened = await server.registry.open(session.ref);
      if (!reopened) throw new Error("gone");
      expect(await server.raw(session)).toBe(whole.slice(0, cut));
      await reopened.submit(task("t2"), false);
      await idle(reopened);
      expect(historyProblem(next.requests[0]?.history ?? [])).toBe("");
      await reopened.dispose({ reason: "test" }, 0);
    }
  });

  it("a Trace that cannot be continued can still be read, and says why it stops", async () => {
    const server = await serve(new ScriptedLlm([answer({ say: "ok" })]));
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await idle(session);
    await session.dispose({ reason: "test" }, 0);
    const [file] = await server.host.store.files(AGENT, session.ref.session);
    const path = server.host.layout.traceFile(AGENT, file?.date ?? "", session.ref.session, 1);
    await writeFile(path, (await server.raw(session)).replace('"provider":"fake",', ""));
    server.restart();
    const reopened = await server.registry.open(session.ref);
    expect(reopened?.records.length).toBeGreaterThan(3);
    await expect(reopened?.submit(task("t2"), false)).rejects.toMatchObject({ code: "session_unrecoverable" });
  });

  it("SR10: a Task that the process took with it is shown as interrupted, and the next prompt works", async () => {
    const server = await serve(new ScriptedLlm([answer({ say: "ok" })]));
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await idle(session);
    await session.dispose({ reason: "test" }, 0);
    const [file] = await server.host.store.files(AGENT, session.ref.session);
    const path = server.host.layout.traceFile(AGENT, file?.date ?? "", session.ref.session, 1);
    await appendFile(
      path,
      '{"timestamp":"2026-01-01T00:00:00.000Z","type":"event_msg","payload":{"type":"request_begin"}}\n{"ti',
    );
    server.restart();
    const reopened = await server.registry.open(session.ref);
    const reader = new Reader();
    reopened?.subscribe(null, reader);
    expect(reader.frames[0]).toMatchObject({
      event: "snapshot",
      data: { state: { state: "idle" }, recovery: { interrupted: true } },
    });
    await reopened?.submit(task("t2"), false);
    await until(() => reopened?.status === "idle");
    expect(
      (await server.raw(session)).split("\n").filter((line) => line.startsWith('{"ti') && !line.endsWith("}")),
    ).toHaveLength(1);
  });
});

describe("trouble", () => {
  it("EN4: a refused prompt returns to the composer, and a repeat sends it again as the same Task", async () => {
    const llm = new ScriptedLlm([
      failing("failed", { refused: true, error_message: "too big" }),
      answer({ say: "ok" }),
    ]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    const reader = new Reader();
    session.subscribe(null, reader);
    await session.submit(task("t1", "my words"), false);
    await idle(session);
    expect(reader.state).toMatchObject({
      state: "idle",
      error: { code: "refused", message: "too big", text: "my words", task: "t1" },
    });
    await session.retry("ann");
    await idle(session);
    expect(order(await server.records(session))).toBe("M I U B E(failed) X B A E(completed)");
    expect(reader.state).toEqual({ state: "idle" });
    await expect(session.retry("ann")).rejects.toMatchObject({ code: "nothing_to_retry" });
  });

  it("a wait is announced and skipped by retry", async () => {
    const llm = new ScriptedLlm([failing("timeout", { error_message: "busy" }), answer({ say: "ok" })]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    const reader = new Reader();
    session.subscribe(null, reader);
    await session.submit(task("t1"), false);
    await until(() => reader.state.retry !== undefined);
    expect(reader.state).toMatchObject({ state: "running", task: "t1", retry: { attempt: 2, error: "busy" } });
    await until(() => session.records.some(({ message }) => message.payload.type === "request_end"));
    await session.retry("ann");
    await idle(session);
    expect(llm.requests).toHaveLength(2);
  });

  it("FS04: a write that fails ends the Task visibly; later prompts go on from what is on disk", async () => {
    const llm = new ScriptedLlm([answer({ say: "one" }), answer({ say: "two" })]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await idle(session);
    const reader = new Reader();
    session.subscribe(null, reader);
    const { TraceWriter } = await import("../trace/writer");
    const { TraceWriteError } = await import("../trace/trace-file");
    const append = TraceWriter.prototype.append;
    TraceWriter.prototype.append = () => Promise.reject(new TraceWriteError("disk_full", new Error("no space")));
    await session.submit(task("t2", "precious"), false);
    await idle(session);
    TraceWriter.prototype.append = append;
    expect(reader.state.error).toMatchObject({ code: "disk_full", text: "precious" });
    await session.submit(task("t3"), false);
    await idle(session);
    expect(order(await server.records(session))).toBe("M I U B A E(completed) U B A E(completed)");
    expect(JSON.stringify(llm.requests.at(-1)?.history)).not.toContain("precious");
  });

  it("deleting ends the Task and removes Trace, scratchpad and the unused temporary Workspace", async () => {
    const server = await serve(new ScriptedLlm([answer({ hang: "..." })]));
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await until(() => session.records.length > 3);
    await server.registry.remove(session.ref, "ann");
    expect(await server.host.store.files(AGENT, session.ref.session)).toEqual([]);
    expect(await readdir(server.host.layout.workspaces(AGENT))).toEqual([]);
    expect(await server.registry.open(session.ref)).toBeNull();
  });
});
