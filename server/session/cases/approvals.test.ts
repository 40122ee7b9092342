/** Cases AP at the Session: in mode read-only every command asks, however it is written, and one Allow is for one call. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { answer } from "../../engine/testing/script";
import type { Session } from "../session";
import { type FamilyServer, familyServer, settled, spawn } from "../testing/family";
import { idle, until } from "../testing/host";
import { ofType } from "./fixtures/server";

let made: FamilyServer | null = null;
afterEach(async () => {
  made?.server.registry.closeAll();
  await made?.server.remove();
});
const exec = (id: string, cmd: string) => ({
  call: "exec_command",
  id,
  args: JSON.stringify({ description: "d", cmd }),
});
const LINES = readFileSync(join(import.meta.dirname, "fixtures/cmd/chained-commands.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.replace("<NEWLINE>", "\n"));

/** Answers each question in turn; resolves with the commands that were asked for. */
async function answerAll(session: Session, decide: (cmd: string) => "allow" | "deny"): Promise<string[]> {
  const asked: string[] = [];
  for (;;) {
    await until(() => session.status === "idle" || session.approvals.pending().length > 0);
    const [question] = session.approvals.pending();
    if (!question) return asked;
    const { cmd } = JSON.parse(question.tool_call.arguments);
    asked.push(cmd);
    session.approvals.decide(question.id, decide(cmd), "ann");
    await until(() => session.approvals.pending()[0]?.id !== question.id);
  }
}

it("AP04 AP05 AP07 chained, substituted and redirected commands ask one by one; denied, none of them ran", async () => {
  const commands = [...LINES, "find . -exec touch PWNED +", "printenv", "cd x && npm install"];
  made = await familyServer({
    parent: [answer(...commands.map((cmd, n) => exec(`c${n}`, cmd))), answer({ say: "ok" })],
  });
  const session = await made.start("read-only");
  expect(await answerAll(session, () => "deny")).toEqual(commands);
  expect(existsSync(join(session.meta.workspace ?? "", "PWNED"))).toBe(false);
});

it("AP08 one Allow is for one call: the next command asks again, each decision names one call", async () => {
  made = await familyServer({
    parent: [answer(exec("c1", "echo once")), answer(exec("c2", "echo once && echo twice")), answer({ say: "ok" })],
  });
  const session = await made.start("read-only");
  const asked = await answerAll(session, (cmd) => (cmd === "echo once" ? "allow" : "deny"));
  expect(asked).toEqual(["echo once", "echo once && echo twice"]);
  await idle(session);
  const decisions = ofType(await made.server.records(session), "approval_decision");
  expect(decisions.map(({ decision, tool_call_id }) => [decision, tool_call_id])).toEqual([
    ["allow", "c1"],
    ["deny", "c2"],
  ]);
});

it("AP04 a rule of the Project vetoes in every mode, before anybody is asked, and for subagents too; the Trace says which", async () => {
  made = await familyServer({
    parent: [
      answer(exec("c1", "true && touch PWNED"), exec("c2", "echo fine"), spawn("s1", "child")),
      answer({ say: "ok" }),
    ],
    child: [answer(exec("k1", "touch PWNED")), answer({ say: "no" })],
  });
  made.server.host.veto = async (_, { arguments: text }) =>
    text.includes("touch") ? { rule: "no-touch", message: "Use an editor." } : null;
  const session = await made.start("allow-all");
  await settled(session);
  const records = await made.server.records(session);
  expect(ofType(records, "approval_decision")).toEqual([
    { type: "approval_decision", tool_call_id: "c1", decision: "forbidden", by: "policy:no-touch" },
    { type: "approval_decision", tool_call_id: "c2", decision: "allow", by: "mode:allow-all" },
    { type: "approval_decision", tool_call_id: "s1", decision: "allow", by: "mode:allow-all" },
  ]);
  const outputs = ofType(records, "tool_call_output");
  expect(outputs.find(({ tool_call_id }) => tool_call_id === "c1")).toMatchObject({
    output: "Tool call denied by policy. Use an editor.",
    stop_reason: "aborted",
  });
  const [child] = made.children(session);
  expect(child && ofType(await made.server.records(child), "approval_decision")).toMatchObject([
    { decision: "forbidden", by: "policy:no-touch" },
  ]);
  expect(existsSync(join(session.meta.workspace ?? "", "PWNED"))).toBe(false);
});
