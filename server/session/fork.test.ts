import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { SessionRef } from "../../lib/api/routes";
import { event, model } from "../../lib/omni/build";
import { isEventOf, isPayloadOf, isSessionMeta } from "../../lib/omni/guards";
import type { OmniMessage } from "../../lib/omni/message";
import { encodeRecord } from "../../lib/trace/jsonl";
import { answer, historyProblem, ScriptedLlm, type ScriptedTools } from "../engine/testing/script";
import { forkSession } from "./fork";
import type { Session } from "./session";
import { AGENT, idle, type TestServer, testServer, text, until } from "./testing/host";

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

async function ask(session: Session, ...prompts: string[]): Promise<void> {
  for (const prompt of prompts) {
    await session.submit(
      { id: `t-${prompt.slice(0, 8).replace(/\W/g, "")}`, parts: text(prompt), author: "ann" },
      false,
    );
    await idle(session);
  }
}
const lineOf = (records: OmniMessage[], nth: number) => {
  const ends = records.flatMap((message, i) => (isEventOf(message, "request_end") ? [i + 1] : []));
  return ends.at(nth) ?? 0;
};
async function filesOf(server: TestServer, ref: SessionRef): Promise<string[]> {
  const files = await server.host.store.files(AGENT, ref.session);
  return Promise.all(
    files.map(({ date, index }) => readFile(server.host.layout.traceFile(AGENT, date, ref.session, index), "utf8")),
  );
}
const sha = (parts: string[]) => createHash("sha256").update(parts.join("\0")).digest("hex");

describe("2.2 fork", () => {
  it("copies up to the last output of the Request's calls, with a lineage and settings of its own", async () => {
    const llm = new ScriptedLlm([
      answer({ call: "look", id: "c1" }, { call: "look", id: "c2" }),
      answer({ say: "done" }),
    ]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    await ask(session, "first");
    await session.patch({ title: "Work" }, "ann");
    const scratchpad = server.host.layout.scratchpad(AGENT, session.ref.session);
    await mkdir(join(scratchpad, "sub"), { recursive: true });
    await writeFile(join(scratchpad, "sub", "n.txt"), "note");
    const before = sha(await filesOf(server, session.ref));
    const records = await server.records(session);
    const line = lineOf(records, 0);
    const id = await forkSession(server.host, session, { file_index: 1, line }, "bob");
    const fork = { ...AGENT, session: id };
    const copied = await server.records(fork);
    const outputs = copied.filter((message) => isPayloadOf(message, "tool_call_output"));
    expect(outputs).toHaveLength(2);
    const [meta] = copied;
    expect(meta && isSessionMeta(meta) && meta.payload).toMatchObject({
      session_id: id,
      created_by: "bob",
      forked_from: {
        agent: "a",
        session_id: session.ref.session,
        file_index: 1,
        line,
        copied_lines: copied.length - 1,
      },
    });
    expect(meta?.payload).not.toHaveProperty("client_id");
    expect(copied.at(-1)?.payload).toMatchObject({
      type: "session_info",
      title: "Work (2)",
      archived: false,
      by: "bob",
    });
    expect(copied.slice(1, -1)).toEqual(records.slice(1, copied.length - 1));
    expect(await readFile(join(server.host.layout.scratchpad(AGENT, id), "sub", "n.txt"), "utf8")).toBe("note");
    expect(sha(await filesOf(server, session.ref))).toBe(before);
    expect((await server.host.store.session(AGENT, id))?.info?.title).toBe("Work (2)");
  });

  it("goes on legally, apart from its source", async () => {
    const llm = new ScriptedLlm([answer({ say: "one" }), answer({ say: "two" }), answer({ say: "three" })]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    await ask(session, "first", "second");
    const id = await forkSession(
      server.host,
      session,
      { file_index: 1, line: lineOf(await server.records(session), 0) },
      "ann",
    );
    const fork = await server.registry.open({ ...AGENT, session: id });
    if (!fork) throw new Error("the fork does not open");
    await ask(fork, "third");
    const history = llm.requests.at(-1)?.history ?? [];
    expect(historyProblem(history)).toBe("");
    expect(history.flatMap((payload) => (payload.type === "text" ? [payload.text] : []))).toEqual([
      "first",
      "one",
      "third",
    ]);
    expect(await server.raw(session)).not.toContain("third");
    // A fork of a fork is counted on.
    const at = { file_index: 1, line: lineOf(await server.records(fork), 0) };
    const again = await forkSession(server.host, fork, at, "ann");
    const titles = [id, again].map(async (one) => (await server.host.store.session(AGENT, one))?.info?.title);
    expect(await Promise.all(titles)).toEqual(["first (2)", "first (3)"]);
  });

  it("rewrites attachment lines, and leaves every other byte of the line as it was", async () => {
    const server = await serve(new ScriptedLlm([answer({ say: "seen" })]));
    const session = await server.registry.create(AGENT, {}, ann);
    const path = join(server.host.layout.scratchpad(AGENT, session.ref.session), "a.pdf");
    await ask(session, `look\n\n[attached file: ${path}]`);
    const records = await server.records(session);
    const id = await forkSession(server.host, session, { file_index: 1, line: records.length }, "ann");
    const raw = await server.raw({ ...AGENT, session: id });
    const own = join(server.host.layout.scratchpad(AGENT, id), "a.pdf");
    expect(raw).toContain(`[attached file: ${own}]`);
    const lines = (await server.raw(session)).split("\n");
    expect(raw.split("\n").slice(2, records.length)).toEqual(
      lines.slice(2, records.length).map((line) => line.replace(path, own)),
    );
  });

  it.each([
    ["a line without a record", (_: OmniMessage[]) => 99],
    ["a record that ends no Request", () => 1],
  ])("%s is refused, and nothing is left", async (_, lineAt) => {
    const server = await serve(new ScriptedLlm([answer({ say: "x" })]));
    const session = await server.registry.create(AGENT, {}, ann);
    await ask(session, "p");
    const line = lineAt(await server.records(session));
    const at = { file_index: 1, line };
    await expect(forkSession(server.host, session, at, "ann")).rejects.toMatchObject({ code: "invalid_fork_position" });
    expect(await server.host.store.sessions(AGENT)).toHaveLength(1);
  });

  it("refuses an aborted Request, a call without output, a compaction and a missing file, each by its reason", async () => {
    const server = await serve(new ScriptedLlm([answer({ say: "x" })]));
    const session = await server.registry.create(AGENT, {}, ann);
    await ask(session, "p");
    const [file] = await server.host.store.files(AGENT, session.ref.session);
    const path = server.host.layout.traceFile(AGENT, file?.date ?? "", session.ref.session, 1);
    const start = (await server.records(session)).length;
    const say = (text: string) => model({ type: "text" as const, role: "user" as const, text, client_id: text });
    const call = {
      type: "tool_call" as const,
      role: "assistant" as const,
      name: "look",
      arguments: "{}",
      tool_call_id: "z",
    };
    const begin = () => event({ type: "request_begin" as const });
    const end = (status: "completed" | "aborted") => event({ type: "request_end" as const, status });
    const more = [
      say("a"),
      begin(),
      end("aborted"),
      say("b"),
      begin(),
      model(call),
      end("completed"),
      say("c"),
      begin(),
    ];
    const span = { reason: "manual", mode: "summarize" };
    const compaction = [
      event({ type: "compaction_begin" as const, ...span }),
      model({ type: "text" as const, role: "user" as const, text: "sum" }),
      begin(),
      end("completed"),
    ];
    await writeFile(path, [...more, end("completed"), ...compaction].map(encodeRecord).join(""), { flag: "a" });
    const refuse = (file_index: number, line: number) =>
      expect(forkSession(server.host, session, { file_index, line }, "ann")).rejects;
    await refuse(1, start + 3).toThrow(/ended as aborted/);
    await refuse(1, start + 7).toThrow(/call z \(look\) has no output/);
    await refuse(1, start + more.length + 1 + compaction.length).toThrow(/compaction/);
    await refuse(7, 1).toThrow(/no Trace file 7/);
  });

  it("409 while the source works", async () => {
    const server = await serve(new ScriptedLlm([answer({ say: "x" }), answer({ hang: "..." })]));
    const session = await server.registry.create(AGENT, {}, ann);
    await ask(session, "p");
    const line = (await server.records(session)).length;
    await session.submit({ id: "t2", parts: text("more"), author: "ann" }, false);
    await until(() => session.status === "running");
    await expect(forkSession(server.host, session, { file_index: 1, line }, "ann")).rejects.toMatchObject({
      code: "task_in_progress",
    });
    session.abort("ann");
    await idle(session);
  });

  it("404 when the source is deleted meanwhile, and nothing is left of the fork", async () => {
    const server = await serve(new ScriptedLlm([answer({ say: "x" })]));
    const session = await server.registry.create(AGENT, {}, ann);
    await ask(session, "p");
    const line = (await server.records(session)).length;
    const { store, layout } = server.host;
    const files = await store.files(AGENT, session.ref.session);
    store.files = async () => {
      await server.registry.remove(session.ref, "ann");
      return files;
    };
    await expect(forkSession(server.host, session, { file_index: 1, line }, "ann")).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await readdir(layout.scratchpads(AGENT)).catch(() => [])).toEqual([]);
    expect((await store.sessions(AGENT)).length).toBe(0);
    expect(await readdir(layout.incomingBundles(AGENT))).toEqual([]);
  });
});
