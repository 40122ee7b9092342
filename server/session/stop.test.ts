/**
 * EN7: Stop works in every state, ends what runs, leaves a legal Trace, and the next message goes on. That it takes a
 * second at most is held by `npm run bench -- stop`: a busy machine may take its time here.
 */
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { FakeProvider, type Step } from "../../e2e/support/provider";
import { isEventOf, isOwn, isPayloadOf } from "../../lib/omni/guards";
import type { OmniMessage } from "../../lib/omni/message";
import { ScriptedLlm } from "../engine/testing/script";
import { createLlm } from "../llm/adapters";
import { createTools, type ToolContext } from "../tools/registry";
import type { Session } from "./session";
import { AGENT, Reader, type TestServer, testServer, text, until } from "./testing/host";
import { processes } from "./testing/processes";

interface Stage {
  server: TestServer;
  provider: FakeProvider;
  session: Session;
  seen: Reader;
  send(id: string, more?: { goal?: object }): Promise<void>;
}

/** A Session with real tools and the real adapter in front of a strict provider. */
async function stage(
  scripts: Step[][],
  given: { mode?: "allow-all" | "always-ask"; fetch?: typeof fetch; config?: string } = {},
): Promise<Stage> {
  const provider = await FakeProvider.start();
  provider.script(...scripts);
  const server = await testServer(new ScriptedLlm([]));
  server.config += given.config ?? "";
  const { host } = server;
  let first = given.fetch;
  Object.assign(host, {
    createLlm: (...[model, usedToolCallIds]: Parameters<typeof host.createLlm>) => {
      const deps = { usedToolCallIds, ...(first ? { fetch: first } : {}) };
      first = undefined;
      return createLlm({ ...model, base_url: provider.url, api_key: "sk-test" }, deps);
    },
    createTools: (context: ToolContext) => createTools({ ...context, shell: "bash -c" }),
    workspaceRoots: async () => [tmpdir()],
  } satisfies Partial<typeof host>);
  mkdirSync(host.layout.agent(AGENT), { recursive: true });
  onTestFinished(async () => {
    server.registry.closeAll();
    await provider.stop();
    await server.remove();
  });
  const session = await server.registry.create(AGENT, { approval_mode: given.mode ?? "allow-all" }, { id: "ann" });
  const seen = new Reader();
  session.subscribe(null, seen);
  const send = (id: string, more = {}) =>
    session.submit({ id, parts: text(id), author: "ann", ...more }, false).then(() => {});
  return { server, provider, session, seen, send };
}

/** Nothing of this ends by itself: what Stop leaves running is still there when the test gives up. */
const arrives = (what: string, condition: () => boolean) => until(condition, `${what}: never`);

/** What must hold after a Stop, whatever ran; `mark` stands in the command line of everything that was started. */
async function stopAndGoOn({ server, provider, session, send }: Stage, mark?: string): Promise<OmniMessage[]> {
  expect(session.abort("bob")).toBe(true);
  await arrives("idle", () => session.status === "idle" && session.subagents.running.length === 0);
  await arrives("provider connections closed", () => provider.open === 0);
  if (mark) await arrives("no process", () => processes(mark).marked === 0);
  expect(session.approvals.pending()).toEqual([]);
  const records = await server.records(session);
  expect(faults(records)).toEqual([]);
  await send("the next message");
  await arrives("next answer", () => session.status === "idle");
  expect(provider.violations).toEqual([]);
  const last = (await server.records(session)).findLast(({ payload }) => payload.type === "request_end");
  expect(last?.payload).toMatchObject({ status: "completed" });
  return records;
}

/** TR2, TR3, EN3: begins and ends in pairs, one output per call, nothing of a child. */
function faults(records: OmniMessage[]): string[] {
  const found: string[] = [];
  const open = new Map<string, number>();
  let request = false;
  for (const message of records) {
    if (!isOwn(message)) found.push("a record with origin");
    if (isEventOf(message, "request_begin")) {
      if (request) found.push("begin in a Request");
      request = true;
    } else if (isEventOf(message, "request_end")) {
      if (!request) found.push("end without begin");
      request = false;
    } else if (isPayloadOf(message, "tool_call")) open.set(message.payload.tool_call_id, 0);
    else if (isPayloadOf(message, "tool_call_output")) {
      const id = message.payload.tool_call_id;
      open.set(id, (open.get(id) ?? 1) + 1);
    }
  }
  if (request) found.push("a Request without end");
  for (const [id, outputs] of open) if (outputs !== 1) found.push(`${outputs} outputs of ${id}`);
  return found;
}

const types = (records: OmniMessage[]) => records.map(({ payload }) => ("type" in payload ? payload.type : "meta"));
const call = (id: string, name: string, args: object): Step => ({
  calls: [{ id, name, arguments: JSON.stringify({ description: "d", ...args }) }],
});
/** Ignores every polite signal, and so does what it starts. */
const stubborn = (mark: string) => `trap '' TERM INT HUP; sleep ${mark} & sleep ${mark}; sleep ${mark}`;

describe("EN7: Stop, nothing left running", () => {
  it("a command that ignores SIGTERM", async () => {
    const mark = "86391.1";
    const made = await stage([[call("c1", "exec_command", { cmd: stubborn(mark) })]]);
    await made.send("t1");
    await arrives("command", () => processes(mark).marked >= 2);
    const records = await stopAndGoOn(made, mark);
    expect(records.at(-1)?.payload).toEqual({ type: "abort", reason: "aborted by user", by: "bob" });
  });

  it.each([
    ["accepts and sends nothing", [{ silent: true }] as Step[]],
    ["says something and then nothing", [{ text: "half an an" }, { hang: true }] as Step[]],
  ])("a provider that %s", async (_, script) => {
    const made = await stage([script]);
    await made.send("t1");
    await arrives("request", () => made.provider.requests.length === 1);
    const records = await stopAndGoOn(made);
    expect(types(records).slice(-2)).toEqual(["request_end", "abort"]);
  });

  it("a provider that ignores the abort, before its answer and in the middle of it", async () => {
    const deaf: (typeof fetch)[] = [
      () => new Promise(() => {}),
      async () => {
        const body = new ReadableStream({ cancel: () => new Promise(() => {}) });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    ];
    for (const fetch of deaf) {
      let asked = 0;
      const made = await stage([], {
        fetch: (...args) => {
          asked += 1;
          return fetch(...args);
        },
      });
      await made.send("t1");
      await arrives("request", () => asked === 1);
      await stopAndGoOn(made);
    }
  });

  it("an approval that waits", async () => {
    const made = await stage([[call("c1", "exec_command", { cmd: "echo never" })]], { mode: "always-ask" });
    await made.send("t1");
    await arrives("question", () => made.session.approvals.pending().length === 1);
    const records = await stopAndGoOn(made);
    const decision = records.find(({ payload }) => payload.type === "approval_decision");
    expect(decision?.payload).toMatchObject({ decision: "deny", by: "bob" });
    expect(made.seen.approvals.size).toBe(0);
  });

  it("a compaction that streams, by hand and in the middle of a Task", async () => {
    const made = await stage([[{ text: "one" }], [{ text: "[summary]half" }, { hang: true }]]);
    await made.send("t1");
    await arrives("answer", () => made.session.status === "idle");
    await made.session.compact("ann");
    await arrives("summary", () => made.seen.open.length > 0);
    const byHand = await stopAndGoOn(made);
    expect(byHand.at(-2)?.payload).toMatchObject({ type: "compaction_end", status: "aborted" });

    const config = "compaction: { max_session_turns: 1 }\n";
    const within = await stage(
      [[call("c1", "exec_command", { cmd: "echo out" })], [{ text: "[summary]half" }, { hang: true }]],
      { config },
    );
    await within.send("t1");
    await arrives("summary", () => within.session.status === "compacting" && within.seen.open.length > 0);
    await stopAndGoOn(within);
  });

  it("the wait between two attempts", async () => {
    const made = await stage([[{ status: 503, message: "busy", retryAfter: 60 }]]);
    await made.send("t1");
    await arrives("wait", () => made.seen.state.retry !== undefined);
    const records = await stopAndGoOn(made);
    expect(records.at(-1)?.payload).toMatchObject({ type: "abort", reason: "aborted during reconnect backoff" });
  });

  it("a subagent at work with such a command, and one in the background whose provider hangs", async () => {
    const mark = "86391.2";
    const made = await stage([
      [call("c1", "run_subagent", { prompt: "hang", run_in_background: true })],
      [{ text: "I am" }, { hang: true }],
      [call("c2", "run_subagent", { prompt: "work" })],
      [call("c3", "exec_command", { cmd: stubborn(mark) })],
    ]);
    // The second Request of the parent waits for the first of the child: scripts are taken in this order.
    await made.send("t1");
    await arrives("command", () => processes(mark).marked >= 2);
    expect(made.session.subagents.running).toHaveLength(2);
    const records = await stopAndGoOn(made, mark);
    expect(types(records).filter((type) => type === "subagent")).toHaveLength(2);
    for (const { ref } of made.server.registry.live()) {
      const child = await made.server.records(ref);
      expect(faults(child)).toEqual([]);
    }
  });

  it("a goal in between two rounds, at any moment after the end of the first", async () => {
    const made = await stage([]);
    const { session } = made;
    for (const steps of [0, 1, 2, 3, 5, 8]) {
      const before = made.provider.requests.length;
      const watch = { ...quiet, write: () => {} };
      const over = new Promise<void>((resolve) => {
        watch.write = (frame?: string) => {
          if (frame?.includes('"request_end"')) resolve();
        };
      });
      const subscription = session.subscribe(null, watch);
      await made.send(`goal ${steps}`, { goal: {} });
      await over;
      subscription.close();
      for (let i = 0; i < steps; i += 1) await new Promise(setImmediate);
      const records = await stopAndGoOn(made);
      const finished = records.findLast(({ payload }) => payload.type === "goal_finished");
      expect(finished?.payload).toMatchObject({ outcome: "aborted" });
      expect(made.provider.requests.length - before).toBeLessThan(5);
    }
  });
});

const quiet = { writable: () => true, end: () => {}, write: (_frame?: string) => {} };
