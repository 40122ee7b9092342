/** Cases CX and FS at the Session: commands that will not end, their output, and Workspaces that are gone. */
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Session } from "../session";
import { AGENT, idle, until } from "../testing/host";
import { processes } from "../testing/processes";
import { messagesOf } from "./fixtures/provider";
import { CaseServer, ofType, send, snapshot, task } from "./fixtures/server";

const outputOf = async (c: CaseServer, session: Session) =>
  String(ofType(await c.records(session), "tool_call_output").at(-1)?.output);
/** What a call has written so far. */
const streamed = (session: Session) =>
  snapshot(session)
    .open.map(({ payload }) => ("output" in payload ? String(payload.output) : ""))
    .join("");
const running = (c: CaseServer) => processes("bash -c", c.workspace).marked;

it("CX02 a child that holds the pipe: the call ends with its shell, the rule for the child is stated, nothing is left", async () => {
  const c = await CaseServer.start();
  const session = await c.create("cmd/bg-holds-pipe");
  await session.submit(task("t1"), false);
  await until(
    () =>
      ofType(
        session.records.map(({ message }) => message),
        "tool_call_output",
      ).length === 1,
  );
  expect(await outputOf(c, session)).toMatch(/^started\n\n\[what it left in the background was ended with it/);
  await idle(session);
  await until(() => processes("sleep 300", c.workspace).marked === 0);
  await send(session, "t2");
  await c.check(session);
});

it("CX04 Stop of a command that traps INT and TERM: idle, and the process is gone", async () => {
  const c = await CaseServer.start();
  const session = await c.create("cmd/trap-term");
  await session.submit(task("t1"), false);
  await until(() => streamed(session).includes("START"));
  expect(running(c)).toBeGreaterThan(0);
  session.abort("ann");
  await idle(session);
  await until(() => running(c) === 0);
  expect(await outputOf(c, session)).toMatch(/START[\s\S]*\[interrupted/);
  c.provider.instead = () => "done";
  await send(session, "t2");
  await c.check(session);
});

it("CX05 what was stopped does not finish its work", async () => {
  const c = await CaseServer.start();
  const session = await c.create("cmd/late");
  await session.submit(task("t1"), false);
  await until(() => running(c) > 0);
  session.abort("ann");
  await idle(session);
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(existsSync(join(c.workspace, "LATE"))).toBe(false);
  await c.check(session);
});

it("CX08 endless output is bounded where it is kept: after a restart the Session opens from a small file", async () => {
  const c = await CaseServer.start();
  const session = await c.create("cmd/endless-output");
  const other = await c.create("crlf");
  await session.submit(task("t1"), false);
  await until(() => streamed(session).length > 10_000);
  // Others are served meanwhile.
  await send(other, "hi");
  session.abort("ann");
  await idle(session);
  const [path = ""] = await c.files(session);
  expect(statSync(path).size).toBeLessThan(128 * 1024);
  c.provider.instead = () => "done";
  const again = await c.check(session);
  await send(again, "t2");
  const output = messagesOf(c.provider.sent.at(-1)).find(({ role }) => role === "tool");
  expect(String(output?.content).length).toBeLessThan(17_000);
  // EN8: the Trace, the request and the page have the same.
  expect(await outputOf(c, again)).toBe(output?.content);
});

it("FS07 a thousand Sessions in a tight loop have a thousand ids", async () => {
  const c = await CaseServer.start();
  const made = await Promise.all(Array.from({ length: 1_000 }, () => c.create("done")));
  expect(new Set(made.map(({ ref }) => ref.session)).size).toBe(1_000);
});

it("FS10 FS11 the Workspace is gone: the Session opens, sending says so in these words, other Sessions are not touched", async () => {
  const c = await CaseServer.start();
  const { ref } = c.place("workspace-gone");
  const other = await c.create("crlf");
  const session = await c.open(ref);
  expect(snapshot(session).records.length).toBeGreaterThan(5);
  const refused = session.submit(task("t1"), false);
  await expect(refused).rejects.toMatchObject({
    code: "workspace_missing",
    message: "The Workspace /tmp/penguin-no-such-workspace no longer exists.",
  });
  expect(session.status).toBe("idle");
  await send(other, "hi");
  await c.check(other);
});

it("FS11 the Workspace goes while a call waits: the output names it, not the shell", async () => {
  const c = await CaseServer.start();
  const workspace = join(c.workspace, "soon-gone");
  mkdirSync(workspace);
  const session = await c.create("tool-sleep-60", { workspace, approval_mode: "always-ask" });
  await session.submit(task("t1"), false);
  await until(() => session.approvals.pending().length === 1);
  rmSync(workspace, { recursive: true });
  session.approvals.decide(session.approvals.pending()[0]?.id ?? "", "allow", "ann");
  await idle(session);
  expect(await outputOf(c, session)).toBe(`Workspace does not exist: ${workspace}`);
  await c.check(session);
});

it("FS14 a link where AGENTS.md should be is not followed into the system prompt, and the refusal is told", async () => {
  const c = await CaseServer.start();
  const { Agents } = await import("../../agent/agent");
  const { symlinkSync } = await import("node:fs");
  const { layout } = c.server.host;
  const agents = new Agents(layout);
  await agents.ensure(AGENT);
  rmSync(layout.instructions(AGENT));
  symlinkSync("/etc/passwd", layout.instructions(AGENT));
  const loaded = await agents.config(AGENT);
  if (!loaded.ok) throw new Error(loaded.message);
  const place = {
    workspace: c.workspace,
    provider: "fake",
    model_id: "done",
    session_id: "s",
    shell: "bash",
    at: new Date(),
  };
  await expect(agents.systemPrompt(AGENT, loaded.config, place)).rejects.toMatchObject({
    code: "not_found",
    message: "AGENTS.md is a link, which is not followed.",
  });
});
