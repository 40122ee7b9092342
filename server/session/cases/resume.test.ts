/** Cases SR: what a Session goes on from when its Trace was damaged, torn or left in the middle. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseTrace } from "../../../lib/trace/jsonl";
import { AGENT, idle, until } from "../testing/host";
import { messagesOf } from "./fixtures/provider";
import { CaseServer, order, page, send, snapshot, task } from "./fixtures/server";

const prompts = (body: Parameters<typeof messagesOf>[0]) =>
  messagesOf(body)
    .filter(({ role }) => role === "user")
    .map(({ content }) => content);

it("SR02 a damaged line in the middle costs only itself: both turns are sent, shown and counted, and it is named", async () => {
  const c = await CaseServer.start();
  const { ref, path } = c.place("bad-midline");
  const facts = await c.server.host.store.session(AGENT, ref.session);
  expect(facts?.last_active_at).toBe("2026-07-18T03:10:13.000Z");
  const session = await c.open(ref);
  const { recovery } = snapshot(session);
  expect(recovery).toMatchObject({ damaged: [{ file_index: 1, line: 7 }], interrupted: false });
  expect(page(session).damaged).toHaveLength(1);
  const before = readFileSync(path);
  await send(session, "hi");
  expect(prompts(c.provider.sent[0])).toEqual(["first question", "second question", "hi"]);
  expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
  // Every usage record of the file is still there to be summed up.
  const usage = parseTrace(readFileSync(path, "utf8")).records.filter(
    ({ message }) => message.payload.type === "token_usage",
  );
  expect(usage).toHaveLength(3);
  await c.check(session, { torn: 1 });
});

it.each(["torn-tail", "torn-tail-multibyte"])(
  "SR05 %s: the next append starts on a fresh line, the half record costs only itself",
  async (name) => {
    const c = await CaseServer.start();
    const { ref, path } = c.place(name);
    const before = readFileSync(path);
    const session = await c.open(ref);
    expect(snapshot(session).recovery).toMatchObject({ damaged: [], interrupted: true });
    expect(readFileSync(path).equals(before)).toBe(true);
    await send(session, "fourth question");
    const after = readFileSync(path);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    const added = after.subarray(before.length).toString("utf8");
    expect(added.startsWith("\n")).toBe(true);
    for (const line of added.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
    const again = await c.check(session, { torn: 1, orphans: 1 });
    await send(again, "fifth question");
    const sent = JSON.stringify(c.provider.sent.at(-1));
    for (const said of ["first answer", "second answer", "fourth question", "fifth question"]) {
      expect(sent).toContain(said);
    }
    await c.check(again, { torn: 1, orphans: 1 });
  },
);

it("SR10 a Trace that ends in a running Request: idle, told as interrupted, and the next message works", async () => {
  const c = await CaseServer.start();
  const { ref } = c.place("running-request-at-crash");
  const session = await c.open(ref);
  expect(session.status).toBe("idle");
  expect(snapshot(session)).toMatchObject({ state: { state: "idle" }, recovery: { interrupted: true } });
  expect(page(session).interrupted).toBe(true);
  await send(session, "go on");
  expect(
    page(session)
      .tasks.at(-1)
      ?.items.map(({ kind }) => kind),
  ).toEqual(["prompt", "text"]);
  expect(snapshot(session).state).toEqual({ state: "idle" });
  const again = await c.check(session, { orphans: 1 });
  expect(snapshot(again).recovery?.interrupted ?? false).toBe(false);
});

it("SR11 killed in mid-stream: no half text is kept, the Request is shown as interrupted, the next message works", async () => {
  const c = await CaseServer.start();
  const session = await c.create("slow-60-lines@slow");
  await session.submit(task("t1", "write sixty lines"), false);
  await until(() => snapshot(session).open.length > 0);
  const again = await c.reopen(session);
  expect(snapshot(again)).toMatchObject({ state: { state: "idle" }, open: [], recovery: { interrupted: true } });
  expect(order(await c.records(again))).toBe("M I U B");
  c.provider.instead = () => "done";
  await send(again, "t2", "and now");
  expect(JSON.stringify(c.provider.sent.at(-1))).toMatch(/write sixty lines.*and now/);
  expect(order(await c.records(again))).toBe("M I U B U B A K E(completed)");
  session.abort("ann");
  await idle(session).catch(() => {});
});
