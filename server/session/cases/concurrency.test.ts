/** Cases CC and SA that only show with a second process, a second Task, or a child that a crash took. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { idle, until } from "../testing/host";
import { CaseServer, ofType, order, page, send, snapshot, task } from "./fixtures/server";

it("CC02 what the old process still had to say after its end is never written: the new one's Trace is whole", async () => {
  const c = await CaseServer.start();
  const session = await c.create("slow-60-lines@slow");
  const old = c.server.registry;
  await session.submit(task("t1"), false);
  await until(() => snapshot(session).open.length > 0);
  old.closeAll("server shut down");
  c.provider.instead = () => "done";
  const again = await c.reopen(session);
  await send(again, "t2");
  const [path = ""] = await c.files(again);
  const written = readFileSync(path);
  await session.submit(task("late"), false).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(readFileSync(path).equals(written)).toBe(true);
  expect(order(await c.records(again))).toBe("M I U B A E(aborted) X U B A K E(completed)");
  const third = await c.check(again);
  expect(page(third).tasks).toHaveLength(2);
});

it("CC07 CC08 twenty POSTs at once: one Session, one Task, the others are told; begin and end alternate", async () => {
  const c = await CaseServer.start();
  const sessions = await Promise.all(Array.from({ length: 2 }, () => c.create("crlf", { client_id: "same" })));
  expect(new Set(sessions).size).toBe(1);
  const [session] = sessions;
  if (!session) throw new Error("none made");
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => session.submit(task(`t${n}`), n >= 10)),
  );
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(9);
  for (const one of refused) expect(one).toMatchObject({ reason: { code: "task_in_progress" } });
  await until(() => session.status === "idle" && session.queue.items.length === 0);
  // One ran at once, ten waited in the list.
  expect(c.provider.sent).toHaveLength(11);
  expect(ofType(await c.records(session), "request_begin")).toHaveLength(11);
  await c.check(session);
});

it("SA02 a pointer to a child that a crash took: the parent is idle, told as interrupted, and its call is answered", async () => {
  const c = await CaseServer.start();
  const { ref } = c.place("subagent-pointer-dangling");
  const session = await c.open(ref);
  expect(snapshot(session)).toMatchObject({ state: { state: "idle" }, recovery: { interrupted: true } });
  expect(snapshot(session).state.subagents).toBeUndefined();
  expect(await session.subagents.find("subagent-deadbeef")).toBeNull();
  await send(session, "what became of it?");
  await idle(session);
  const sent = JSON.stringify(c.provider.sent[0]);
  expect(sent).toContain("run_subagent");
  expect(sent).toMatch(/process exited/);
  await c.check(session, { orphans: 1 });
});
