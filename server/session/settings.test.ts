/** Each record of settings holds all of them: whoever changes one takes none of the others back. */
import { afterEach, expect, it } from "vitest";
import { answer, ScriptedLlm, sequence } from "../engine/testing/script";
import { AGENT, idle, type TestServer, testServer, text } from "./testing/host";

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove();
});
async function serve(llm: ScriptedLlm): Promise<TestServer> {
  const server = await testServer(llm);
  servers.push(server);
  return server;
}
const ann = { id: "ann" };
const task = (id: string) => ({ id, parts: text(id), author: "ann" });

it("changes side by side all hold, here and after a restart", async () => {
  const server = await serve(new ScriptedLlm([answer({ say: "x" })]));
  const session = await server.registry.create(AGENT, {}, ann);
  await session.submit(task("t1"), false);
  await idle(session);
  const title = "Named";
  await Promise.all([
    session.patch({ title }, "ann"),
    session.patch({ approval_mode: "allow-all" }, "bob"),
    session.patch({ visibility: "private" }, "ann"),
    session.patch({ thinking_level: "high" }, "bob"),
  ]);
  const all = { title, approval_mode: "allow-all", visibility: "private", thinking_level: "high", archived: false };
  expect(session.settings).toEqual(all);
  server.restart();
  expect((await server.registry.open(session.ref))?.settings).toEqual(all);
});

it("2.1: a mode chosen while the first prompt is on its way stands in the head, behind the meta", async () => {
  const server = await serve(new ScriptedLlm([answer({ say: "x" })]));
  let make = () => {};
  server.host.agents.systemPrompt = () =>
    new Promise((resolve) => {
      make = () => resolve("be good");
    });
  const session = await server.registry.create(AGENT, {}, ann);
  const sent = session.submit(task("t1"), false);
  await session.patch({ approval_mode: "allow-all" }, "ann");
  for (let n = 0; session.records.length === 0; n += 1) {
    make();
    await session.patch({ title: `Title ${n}` }, "ann");
    await new Promise(setImmediate);
  }
  await sent;
  await session.patch({ title: "Last" }, "ann");
  await idle(session);
  const records = await server.records(session);
  expect(sequence(records)).toMatch(/^M session_info U /);
  expect(records[1]?.payload).toMatchObject({ approval_mode: "allow-all" });
  server.restart();
  const again = await server.registry.open(session.ref);
  expect(again?.settings).toMatchObject({ approval_mode: "allow-all", title: "Last" });
});

it("2.1: a first prompt whose head could not be made is followed by one that has it", async () => {
  const server = await serve(new ScriptedLlm([answer({ say: "x" })]));
  const { systemPrompt } = server.host.agents;
  server.host.agents.systemPrompt = () => Promise.reject(new Error("no"));
  const session = await server.registry.create(AGENT, {}, ann);
  await expect(session.submit(task("t1"), false)).rejects.toThrow("no");
  server.host.agents.systemPrompt = systemPrompt;
  await session.submit(task("t2"), false);
  await idle(session);
  const records = await server.records(session);
  expect(sequence(records)).toMatch(/^M session_info U /);
  expect(records[0]?.payload).toMatchObject({ system_prompt: "be good" });
});
