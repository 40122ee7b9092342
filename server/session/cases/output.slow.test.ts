/** Case CX07 at full size: what a command writes is bounded everywhere, in the memory of the server too. */
import { statSync } from "node:fs";
import { expect, it } from "vitest";
import { AGENT, idle } from "../testing/host";
import { CaseServer, ofType, send, task } from "./fixtures/server";

const MIB = 1024 * 1024;

it("CX07 700 MB of output without a line break: the server lives, its memory stays flat, others are served, the Session opens again", async () => {
  const c = await CaseServer.start();
  const session = await c.create("cmd/huge-output");
  const other = await c.create("crlf");
  await send(other, "warm");
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await session.submit(task("t1"), false);
  let served = 0;
  while (session.status !== "idle") {
    await send(other, `beside${served}`);
    served += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await idle(session);
  clearInterval(timer);
  expect(served).toBeGreaterThan(0);
  expect(peak - before).toBeLessThan(250 * MIB);
  const output = String(ofType(await c.records(session), "tool_call_output")[0]?.output);
  expect(output.length).toBeLessThan(17_000);
  const archive = /\[output archived \(8 MiB limit; head and tail kept\): (.*)\]/.exec(output)?.[1] ?? "";
  expect(archive.startsWith(c.server.host.layout.scratchpad(AGENT, session.ref.session))).toBe(true);
  expect(statSync(archive).size).toBeLessThan(8 * MIB);
  const [path = ""] = await c.files(session);
  expect(statSync(path).size).toBeLessThan(128 * 1024);
  c.provider.instead = () => "done";
  const again = await c.check(session);
  await send(again, "t2");
}, 180_000);
