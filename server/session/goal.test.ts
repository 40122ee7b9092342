import { readFile, writeFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { readGoal } from "../../lib/omni/blocks";
import { isEventOf, isPayloadOf } from "../../lib/omni/guards";
import { answer, failing, historyProblem, ScriptedLlm, ScriptedTools } from "../engine/testing/script";
import type { Session } from "./session";
import { AGENT, idle, type TestServer, testServer, text, until } from "./testing/host";

let server: TestServer;
afterEach(() => server.remove());
const ann = { id: "ann" };
const allowAll = { approval_mode: "allow-all" as const };
const goal = (budget?: number) => ({
  id: "g1",
  parts: text("make it so"),
  author: "ann",
  goal: budget === undefined ? {} : { budget },
});
const call = (id: string) => answer({ call: "work", id }, { usage: 10 });
const say = (words: string) => answer({ say: words }, { usage: 10 });

/** Sets the status of the goal file when the call with this id runs. */
async function begin(llm: ScriptedLlm, statuses: Record<string, string>): Promise<Session> {
  let file = "";
  const tools = new ScriptedTools(async ({ tool_call_id }) => {
    const status = statuses[tool_call_id];
    if (status) await writeFile(file, status);
  });
  server = await testServer(llm, tools);
  const session = await server.registry.create(AGENT, allowAll, ann);
  file = server.host.layout.goalFile(AGENT, session.ref.session);
  return session;
}
async function finished(session: Session) {
  const records = await server.records(session);
  const ends = records.flatMap((message) => (isEventOf(message, "goal_finished") ? [message.payload] : []));
  const rounds = records.flatMap((message) =>
    isPayloadOf(message, "text") ? (readGoal(message.payload.text) ?? []) : [],
  );
  return { ends, rounds, last: records.at(-1)?.payload.type };
}

describe("FF 5.8 goal mode", () => {
  it("goes on round by round until the goal file says complete", async () => {
    const llm = new ScriptedLlm([say("working"), call("c1"), say("done")]);
    const session = await begin(llm, { c1: "status: complete\n" });
    await session.submit(goal(), false);
    expect(await readFile(server.host.layout.goalFile(AGENT, session.ref.session), "utf8")).toBe(
      "objective: make it so\nstatus: active\n",
    );
    await idle(session);
    const { ends, rounds, last } = await finished(session);
    expect(ends).toEqual([{ type: "goal_finished", outcome: "complete", rounds: 2, tokens_used: 30 }]);
    expect(rounds).toEqual([
      { round: 1, rest: "make it so" },
      { round: 2, rest: "make it so" },
    ]);
    expect(last).toBe("goal_finished");
    expect(historyProblem(llm.requests.at(-1)?.history ?? [])).toBe("");
  });

  it.each(["", "status: perhaps", ":: no yaml ["])("a goal file with %j means blocked", async (content) => {
    const session = await begin(new ScriptedLlm([call("c1"), say("stuck")]), { c1: content || " " });
    await session.submit(goal(), false);
    await idle(session);
    expect((await finished(session)).ends).toMatchObject([{ outcome: "blocked", rounds: 1 }]);
  });

  it("a budget that is used up gives one round to wrap up", async () => {
    const llm = new ScriptedLlm([say("one"), say("two"), say("summary")]);
    const session = await begin(llm, {});
    await session.submit(goal(15), false);
    await idle(session);
    expect((await finished(session)).ends).toMatchObject([{ outcome: "budget_limited", rounds: 3, tokens_used: 30 }]);
    expect(JSON.stringify(llm.requests[2]?.history.at(-1))).toContain("last round");
  });

  it("Stop and a failing model end it as aborted; what is carried over is no goal any more", async () => {
    const llm = new ScriptedLlm([answer({ hang: "..." }), say("next")]);
    const session = await begin(llm, {});
    await session.submit(goal(), false);
    await until(() => session.records.some(({ message }) => isEventOf(message, "request_begin")));
    session.abort("ann");
    await idle(session);
    expect((await finished(session)).ends).toMatchObject([{ outcome: "aborted", rounds: 1 }]);
    await session.submit({ id: "t2", parts: text("and now?"), author: "ann" }, false);
    await idle(session);
    const sent = JSON.stringify(llm.requests.at(-1)?.history);
    expect(sent).toContain("do not act on it");
    expect(sent).not.toContain("goal file:");
    await server.remove();
    const broken = await begin(new ScriptedLlm([failing("auth", { error_message: "no key" })]), {});
    await broken.submit(goal(), false);
    await idle(broken);
    expect((await finished(broken)).ends).toMatchObject([{ outcome: "aborted" }]);
  });
});
