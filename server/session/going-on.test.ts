/** What a Session that had to stop waits for, and how it goes on. */
import { afterEach, describe, expect, it } from "vitest";
import { answer, failing, ScriptedLlm, ScriptedTools } from "../engine/testing/script";
import { idle, Reader, type TestServer, testServer, text, until } from "./testing/host";

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
const agent = { project: "p", agent: "a" };
const task = (id: string) => ({ id, parts: text(id), author: "ann" });

describe("auth (EN4)", () => {
  it("a key that was refused keeps the error until another one is saved, at once in what is open; then retry works", async () => {
    const server = await serve(new ScriptedLlm([failing("auth", { error_message: "bad key" }), answer({ say: "ok" })]));
    let api_key = "old";
    const { resolve } = server.host.models;
    server.host.models.resolve = async (...of) => {
      const model = await resolve(...of);
      return model && { ...model, api_key };
    };
    const session = await server.registry.create(agent, {}, ann);
    const reader = new Reader();
    session.subscribe(null, reader);
    await session.submit(task("t1"), false);
    await idle(session);
    expect(reader.state).toMatchObject({ state: "idle", error: { code: "auth", message: "bad key" } });
    await server.registry.credentialsChanged("p");
    await server.registry.credentialsChanged("other");
    expect(reader.state.error).toBeDefined();
    api_key = "new";
    await server.registry.credentialsChanged("p");
    expect(reader.state).toEqual({ state: "idle" });
    await session.retry("ann");
    await idle(session);
    expect((await server.records(session)).at(-1)?.payload).toMatchObject({ type: "request_end", status: "completed" });
  });

  it("EN11: so it is after a restart, unless another key was entered meanwhile or the environment gives it", async () => {
    const server = await serve(new ScriptedLlm([failing("auth", { error_message: "bad key" })]));
    const { resolve } = server.host.models;
    let entry: { api_key?: string; key_since?: string } = { api_key: "old", key_since: "2026-01-01T00:00:00.000Z" };
    const restarted = async () => {
      server.restart();
      server.host.models.resolve = async (...of) => {
        const model = await resolve(...of);
        return model && { ...model, ...entry };
      };
      const again = await server.registry.open(session.ref);
      if (!again) throw new Error("not found");
      const reader = new Reader();
      again.subscribe(null, reader);
      return reader;
    };
    const session = await server.registry.create(agent, {}, ann);
    await session.submit(task("t1"), false);
    await idle(session);
    const reader = await restarted();
    expect(reader.state).toEqual({ state: "idle", error: { code: "auth", message: "bad key" } });
    await server.registry.credentialsChanged("p");
    expect(reader.state.error).toBeDefined();
    entry = { api_key: "new", key_since: new Date().toISOString() };
    await server.registry.credentialsChanged("p");
    expect(reader.state).toEqual({ state: "idle" });
    expect((await restarted()).state).toEqual({ state: "idle" });
    entry = { api_key: "of the environment" };
    expect((await restarted()).state).toEqual({ state: "idle" });
    entry = {};
    expect((await restarted()).state.error).toBeDefined();
  });
});

/** Tools whose call ends when told. */
function gated() {
  let release = () => {};
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { tools: new ScriptedTools(() => open), release: () => release() };
}
const texts = (llm: ScriptedLlm) =>
  (llm.requests.at(-1)?.history ?? []).map((one) => (one.type === "text" ? one.text : one.type));
const allowAll = { approval_mode: "allow-all" as const };

describe("messages while a Task runs", () => {
  it("a Task that cannot even begin: what was queued behind it meanwhile waits for a person", async () => {
    const llm = new ScriptedLlm([answer({ say: "first" })]);
    const server = await serve(llm);
    const session = await server.registry.create(agent, allowAll, ann);
    const { config } = server.host.agents;
    let look = () => {};
    const looked = new Promise<void>((resolve) => {
      look = resolve;
    });
    server.host.agents.config = async () => {
      await looked;
      return { ok: false, message: "no" };
    };
    const first = session.submit(task("t1"), false);
    await session.submit(task("t2"), true);
    look();
    await expect(first).rejects.toMatchObject({ code: "bad_request" });
    expect(session.queue.items).toMatchObject([{ id: "t2", held: true }]);
    server.host.agents.config = config;
    await session.submit(task("t3"), false);
    await idle(session);
    expect(llm.requests).toHaveLength(1);
    expect(texts(llm)).toEqual(["t3"]);
    expect(session.queue.items).toMatchObject([{ id: "t2", held: true }]);
  });

  it("a compaction that cannot even begin: what was queued behind it meanwhile runs", async () => {
    const llm = new ScriptedLlm([answer({ say: "first" })]);
    const server = await serve(llm);
    const session = await server.registry.create(agent, allowAll, ann);
    const refused = expect(session.compact("ann")).rejects.toMatchObject({ code: "nothing_to_compact" });
    await session.submit(task("t1"), true);
    await refused;
    await until(() => llm.requests.length === 1 && session.status === "idle");
    expect(texts(llm)).toEqual(["t1"]);
    expect(session.queue.items).toEqual([]);
  });

  it("CC08: steering with the same client_id is taken once, side by side, when delivered, and after a restart", async () => {
    const llm = new ScriptedLlm([answer({ call: "work", id: "c1" }), answer({ say: "ok" })]);
    const { tools, release } = gated();
    const server = await serve(llm, tools);
    const session = await server.registry.create(agent, allowAll, ann);
    await session.submit(task("t1"), false);
    await until(() => tools.started.length === 1);
    const steer = () => session.steer({ id: "s1", text: "careful", images: [], author: "ann" });
    await Promise.all([steer(), steer()]);
    await steer();
    release();
    await idle(session);
    await steer();
    expect(texts(llm).filter((one) => one.includes("careful"))).toHaveLength(1);
    server.restart();
    const again = await server.registry.open(session.ref);
    await again?.steer({ id: "s1", text: "careful", images: [] });
    await expect(again?.steer({ id: "s2", text: "late", images: [] })).rejects.toMatchObject({ code: "not_running" });
    // Refused: the same id may come as a message of its own.
    await again?.submit(task("s2"), false);
    if (again) await idle(again);
    expect(texts(llm).at(-1)).toBe("s2");
  });

  it("FF 5.8: a goal waits for the Task that runs, and then is a goal", async () => {
    const llm = new ScriptedLlm([answer({ call: "work", id: "c1" }), answer({ say: "ok" }), answer({ say: "done" })]);
    const { tools, release } = gated();
    const server = await serve(llm, tools);
    const session = await server.registry.create(agent, allowAll, ann);
    await session.submit(task("t1"), false);
    await until(() => tools.started.length === 1);
    const goal = { ...task("g1"), goal: { budget: 1 } };
    await expect(session.submit(goal, false)).rejects.toMatchObject({ code: "task_in_progress" });
    await session.submit(goal, true);
    expect(session.queue.items).toMatchObject([{ id: "g1", kind: "task" }]);
    release();
    await until(() => session.status === "idle" && session.queue.items.length === 0);
    const records = await server.records(session);
    expect(records.filter(({ payload }) => payload.type === "goal_finished")).toHaveLength(1);
  });
});

describe("retry", () => {
  it("a Task that was stopped before its first Request is repeated, also after a restart", async () => {
    const llm = new ScriptedLlm([answer({ say: "ok" })]);
    const server = await serve(llm);
    const session = await server.registry.create(agent, {}, ann);
    const starting = session.submit(task("t1"), false);
    await until(() => session.abort("ann"));
    await starting;
    await idle(session);
    expect(llm.requests).toHaveLength(0);
    server.restart();
    const again = await server.registry.open(session.ref);
    if (!again) throw new Error("not found");
    await again.retry("ann");
    await idle(again);
    expect(texts(llm)).toEqual(["t1"]);
    await expect(again.retry("ann")).rejects.toMatchObject({ code: "nothing_to_retry" });
  });

  it("FS05: what could not be saved in the middle goes on where the Trace ends; a prompt that is on disk does not come back", async () => {
    const llm = new ScriptedLlm([answer({ call: "work", id: "c1" }), answer({ say: "ok" })]);
    const { tools, release } = gated();
    const server = await serve(llm, tools);
    const session = await server.registry.create(agent, allowAll, ann);
    const reader = new Reader();
    session.subscribe(null, reader);
    await session.submit(task("t1"), false);
    await until(() => tools.started.length === 1);
    const { TraceWriter } = await import("../trace/writer");
    const { TraceWriteError } = await import("../trace/trace-file");
    const append = TraceWriter.prototype.append;
    TraceWriter.prototype.append = () => Promise.reject(new TraceWriteError("disk_full", new Error("no space")));
    release();
    await idle(session);
    TraceWriter.prototype.append = append;
    expect(reader.state.error).toMatchObject({ code: "disk_full" });
    expect(reader.state.error).not.toHaveProperty("text");
    await session.retry("ann");
    await idle(session);
    expect(texts(llm)).toEqual(["t1", "tool_call", "tool_call_output"]);
  });
});
