import { afterEach, describe, expect, it } from "vitest";
import { isEventOf, isSessionMeta } from "../../lib/omni/guards";
import type { OmniMessage } from "../../lib/omni/message";
import { answer, failing, ScriptedLlm, sequence } from "../engine/testing/script";
import { AGENT, idle, type TestServer, testServer, text, until } from "./testing/host";
import { cleanTitle } from "./title";

const servers: TestServer[] = [];
async function serve(llm: ScriptedLlm): Promise<TestServer> {
  const server = await testServer(llm);
  server.host.autoTitle = true;
  servers.push(server);
  return server;
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove();
});
const ann = { id: "ann" };
const task = (id: string) => ({ id, parts: text("please count to three"), author: "ann" });
const infos = (records: OmniMessage[]) =>
  records.flatMap((message) => (isEventOf(message, "session_info") ? [message.payload] : []));

describe("FF 9.13 titles", () => {
  it("are asked of the model after the first Task, recorded with their cost, and never enter the history", async () => {
    const llm = new ScriptedLlm([
      answer({ say: "1 2 3" }),
      answer({ say: '"Counting."' }, { usage: 7 }),
      answer({ say: "again" }),
    ]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await until(() => session.settings.title !== null);
    expect(llm.requests[1]).toMatchObject({ tools: [], system_prompt: "", thinking_level: "none", max_tokens: 300 });
    const records = await server.records(session);
    expect(infos(records).at(-1)).toMatchObject({ title: "Counting", approval_mode: "read-only" });
    expect(infos(records).at(-1)).not.toHaveProperty("by");
    expect(records.at(-1)?.payload).toMatchObject({
      type: "aux_usage",
      purpose: "title",
      user: "ann",
      provider: "fake",
    });
    await session.submit(task("t2"), false);
    await idle(session);
    expect(llm.requests).toHaveLength(3);
    expect(JSON.stringify(llm.requests[2]?.history)).not.toMatch(/Counting|Write a title/);
  });

  it("a person's title wins, also while one is being made", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const llm = new ScriptedLlm([answer({ say: "x" }), answer({ wait: gate }, { say: "Automatic" }, { usage: 3 })]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await until(() => llm.requests.length === 2 && session.titles.busy);
    await session.patch({ title: "Mine" }, "ann");
    release();
    await until(() => !session.titles.busy);
    expect(session.settings.title).toBe("Mine");
    expect(infos(await server.records(session)).map(({ title }) => title)).toEqual([null, "Mine"]);
    expect((await server.records(session)).some((message) => isEventOf(message, "aux_usage"))).toBe(true);
  });

  it("a model that fails leaves no title and no error", async () => {
    const server = await serve(new ScriptedLlm([answer({ say: "x" }), failing("failed", { error_message: "no" })]));
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await until(() => session.status === "idle" && !session.titles.busy);
    expect(session.settings.title).toBeNull();
    expect(sequence(await server.records(session)).replaceAll("session_info", "I")).toBe("M I U B A E(completed)");
  });

  it("2.2: after a completed compaction a title opens the next file and the summary is not lost", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const llm = new ScriptedLlm([
      answer({ say: "x" }),
      answer({ wait: gate }, { say: "Late" }, { usage: 3 }),
      answer({ say: "[summary]\nwhat was\n[/summary]" }),
      answer({ say: "y" }),
    ]);
    const server = await serve(llm);
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit(task("t1"), false);
    await until(() => llm.requests.length === 2);
    await session.compact("ann");
    await idle(session);
    release();
    await until(() => session.settings.title === "Late" && !session.titles.busy);
    const head = await server.records(session);
    expect(head[0] && isSessionMeta(head[0])).toBe(true);
    expect(JSON.stringify(head)).toContain("what was");
    expect(infos(head).map(({ title }) => title)).toEqual(["Late"]);
    server.restart();
    const again = await server.registry.open(session.ref);
    await again?.submit(task("t2"), false);
    if (again) await idle(again);
    expect(JSON.stringify(llm.requests.at(-1)?.history)).toContain("what was");
  });

  it.each([
    ['"A title."', "A title"],
    ["Title: Fix the **build**", "Fix the **build"],
    ["\n\n「标题」。", "标题"],
    ["one two three four five six seven eight", "one two three four five six"],
    ["***", ""],
    ["Create a file hello.txt that says hi", "Create a file hello.txt that"],
    ["Create a file hello.txt that s", "Create a file hello.txt that s"],
  ])("cleans %j", (given, wanted) => expect(cleanTitle(given)).toBe(wanted));
});
