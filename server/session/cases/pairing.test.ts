/** Cases TP and KB04: every call has exactly one output, whatever happens between the two, and nothing empty is sent. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Session } from "../session";
import { idle, Reader, until } from "../testing/host";
import { processes } from "../testing/processes";
import { messagesOf } from "./fixtures/provider";
import { CaseServer, ofType, order, page, send, sendImpatiently, snapshot, task } from "./fixtures/server";

const asked = { approval_mode: "always-ask" as const };
const waiting = (session: Session) => session.approvals.pending();
const allowNext = async (session: Session, decision: "allow" | "deny" = "allow") => {
  await until(() => waiting(session).length > 0);
  session.approvals.decide(waiting(session)[0]?.id ?? "", decision, "ann");
};
const toolMessages = (body: Parameters<typeof messagesOf>[0]) => messagesOf(body).filter(({ role }) => role === "tool");

/** The command of `tool-sleep-60` runs. */
async function sleeping(c: CaseServer, session: Session): Promise<void> {
  await session.submit(task("t1"), false);
  await allowNext(session);
  await until(
    () =>
      ofType(
        session.records.map(({ message }) => message),
        "request_end",
      ).length === 1,
  );
  await until(() => processes("sleep 60", c.workspace).marked > 0);
}
const asleep = (c: CaseServer) => until(() => processes("sleep 60", c.workspace).marked === 0);

it("TP01 stopped while a command sleeps: its call has an interrupted output, the process is gone, the next message works", async () => {
  const c = await CaseServer.start();
  const session = await c.create("tool-sleep-60", asked);
  await sleeping(c, session);
  session.abort("ann");
  await idle(session);
  await asleep(c);
  c.provider.instead = () => "done";
  await send(session, "hi");
  expect(toolMessages(c.provider.sent.at(-1))).toMatchObject([
    { tool_call_id: "call_a", content: expect.stringContaining("[interrupted") },
  ]);
  expect(order(await c.records(session))).toMatch(/Ccall_a Dcall_a K E\(completed\) Ocall_a X U B A K E\(completed\)$/);
  await c.check(session);
});

it("TP04 /compact while a call waits for approval, and right after its output: refused until the pair is complete", async () => {
  const c = await CaseServer.start();
  const session = await c.create("tool-prints-nothing", asked);
  await session.submit(task("t1"), false);
  await until(() => waiting(session).length === 1);
  await expect(session.compact("ann")).rejects.toMatchObject({ code: "task_in_progress" });
  await allowNext(session);
  await until(
    () =>
      ofType(
        session.records.map(({ message }) => message),
        "tool_call_output",
      ).length === 1,
  );
  await expect(session.compact("ann")).rejects.toMatchObject({ code: "task_in_progress" });
  await idle(session);
  await session.compact("ann");
  await idle(session);
  c.provider.instead = () => "done";
  await send(session, "t2");
  expect(ofType(await c.records(session), "compaction_begin")).toHaveLength(1);
  await c.check(session);
});

it("TP05 a stream that is cut after the tool's name: never `completed`, each attempt is announced, Retry works", async () => {
  const c = await CaseServer.start();
  const session = await c.create("cut-mid-tool-announce@cut");
  await sendImpatiently(session, "t1");
  const ends = ofType(await c.records(session), "request_end");
  expect(ends.map(({ status }) => status)).toEqual(Array(6).fill("timeout"));
  expect(ends.slice(0, 5).every((end) => Number(end.retry_in_ms) >= 2_000)).toBe(true);
  expect(snapshot(session).state.error).toMatchObject({ code: "failed" });
  expect(ofType(await c.records(session), "tool_call_output")).toEqual([]);
  c.provider.instead = () => "done";
  await session.retry("ann");
  await idle(session);
  expect(order(await c.records(session))).toMatch(/X B A K E\(completed\)$/);
  expect(snapshot(session).state).toEqual({ state: "idle" });
  await c.check(session);
});

it("TP07 29 calls without output text, then evicted: “hello” carries 29 outputs, none of them empty", async () => {
  const c = await CaseServer.start();
  let session = await c.create("tool-prints-nothing");
  await send(session, "t1");
  const [path = ""] = await c.files(session);
  const [meta = "", info = "", ...turn] = readFileSync(path, "utf8").trimEnd().split("\n");
  const again = (n: number) => turn.map((line) => line.replaceAll("call_a", `call_a#${n}`).replace('"t1"', `"t${n}"`));
  const turns = Array.from({ length: 29 }, (_, n) => (n === 0 ? turn : again(n + 1)));
  writeFileSync(path, `${[meta, info, ...turns.flat()].join("\n")}\n`);
  session = await c.reopen(session);
  c.provider.instead = () => "done";
  await send(session, "hello");
  const outputs = toolMessages(c.provider.sent.at(-1));
  expect(outputs).toHaveLength(29);
  expect(outputs.every(({ content }) => typeof content === "string" && content !== "")).toBe(true);
  await c.check(session);
});

it.each(["Stop", "a second tab", "a closed tab, then Stop"])(
  "TP08 cancelled by %s: the same legal history",
  async (how) => {
    const c = await CaseServer.start();
    const session = await c.create("tool-sleep-60", asked);
    const tabs = [new Reader(), new Reader()];
    const [first, second] = tabs.map((tab) => session.subscribe(null, tab));
    await sleeping(c, session);
    if (how.startsWith("a closed tab")) {
      for (const tab of [first, second]) tab?.close();
      await new Promise((resolve) => setTimeout(resolve, 50));
      // P7: nobody looks, and the command runs on.
      expect(session.status).toBe("running");
      // A process that is just becoming another program is not seen for a moment.
      await until(() => processes("sleep 60", c.workspace).marked > 0);
    }
    session.abort(how === "a second tab" ? "bob" : "ann");
    await idle(session);
    await asleep(c);
    if (how === "a second tab") expect(tabs.map(({ state }) => state.state)).toEqual(["idle", "idle"]);
    c.provider.instead = () => "done";
    await send(session, "hi");
    expect(order(await c.records(session))).toMatch(/K E\(completed\) Ocall_a X U B A K E\(completed\)$/);
    await c.check(session);
  },
);

it("TP08 cancelled by deleting the Session: its command and its files are gone, other Sessions go on", async () => {
  const c = await CaseServer.start();
  const other = await c.create("crlf");
  const session = await c.create("tool-sleep-60", asked);
  await sleeping(c, session);
  await c.server.registry.remove(session.ref, "ann");
  await asleep(c);
  expect(await c.files(session)).toEqual([]);
  await send(other, "hi");
  await c.check(other);
});

it.each(["allow", "deny"] as const)(
  "TP10 two calls, one fails or is denied (%s): two outputs with the right ids, in call order",
  async (second) => {
    const c = await CaseServer.start();
    const session = await c.create("tool-one-of-two-fails", asked);
    await session.submit(task("t1"), false);
    await allowNext(session);
    await allowNext(session, second);
    await idle(session);
    const outputs = toolMessages(c.provider.sent.at(-1));
    expect(outputs.map(({ tool_call_id }) => tool_call_id)).toEqual(["call_a", "call_b"]);
    expect(outputs[0]?.content).toBe("ok");
    const why = second === "deny" ? "Tool call denied by user." : /No such file[\s\S]*\[exit code: 1\]/;
    expect(outputs[1]?.content).toEqual(expect.stringMatching(why));
    expect(
      page(session)
        .tasks.at(-1)
        ?.items.filter(({ kind }) => kind === "tool"),
    ).toHaveLength(2);
    await c.check(session);
  },
);

it("TP13 arguments that are cut off: not run, the model is told, later requests are legal, the Trace keeps the original", async () => {
  const c = await CaseServer.start();
  const session = await c.create("tool-args-truncated");
  await send(session, "commit it");
  const original = '{"cmd":"git commit -m \\"half a mess';
  expect(ofType(await c.records(session), "tool_call")[0]).toMatchObject({ arguments: original });
  expect(toolMessages(c.provider.sent.at(-1))[0]?.content).toMatch(/not valid JSON/i);
  c.provider.instead = () => "done";
  for (const id of ["t2", "t3"]) await send(session, id);
  await c.check(session);
});

it("TP13 the same from a Trace of the past: accepted, and the original stays", async () => {
  const c = await CaseServer.start();
  const { ref, path } = c.place("bad-args-in-history");
  const before = readFileSync(path);
  const session = await c.open(ref);
  await send(session, "go on");
  expect(toolMessages(c.provider.sent.at(-1))).toHaveLength(1);
  expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
  await c.check(session);
});

it("TP16 stopped before the first token, then an answer without text: nothing empty is sent, and it is told", async () => {
  const c = await CaseServer.start();
  const session = await c.create("slow-60-lines@stall");
  await session.submit(task("t1"), false);
  await until(() => c.provider.sent.length === 1);
  session.abort("ann");
  await idle(session);
  c.provider.instead = () => "empty-answer-stop";
  await send(session, "t2");
  const shown = page(session).tasks.at(-1)?.items ?? [];
  expect(shown.map(({ kind }) => kind)).toEqual(["prompt", "silence"]);
  c.provider.instead = () => "done";
  await send(session, "t3");
  for (const body of c.provider.sent) {
    for (const message of messagesOf(body)) expect(message.content).not.toBe("");
  }
  await c.check(session);
});

it.each([
  ["KB04", "413"],
  ["PV29", "422"],
])(
  "%s %s from the second request on: the prompt returns to the composer and is not in the next request",
  async (_, status) => {
    const c = await CaseServer.start();
    const session = await c.create(`crlf@${status}@after1`);
    await send(session, "t1", "small");
    await send(session, "t2", "far too large");
    expect(snapshot(session).state.error).toMatchObject({
      code: "refused",
      text: "far too large",
      message: expect.stringContaining(`fake ${status}`),
    });
    expect(session.status).toBe("idle");
    const again = await c.check(session);
    c.provider.recover();
    await send(again, "hi");
    const sent = JSON.stringify(c.provider.sent.at(-1));
    expect(sent).toContain("small");
    expect(sent).not.toContain("far too large");
    await c.check(again);
  },
);
