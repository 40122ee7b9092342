/** What a Session that had to stop waits for, and how it goes on. */
import { afterEach, describe, expect, it } from "vitest";
import { answer, failing, ScriptedLlm } from "../engine/testing/script";
import { idle, Reader, type TestServer, testServer, text } from "./testing/host";

const servers: TestServer[] = [];
async function serve(llm: ScriptedLlm): Promise<TestServer> {
  const server = await testServer(llm);
  servers.push(server);
  return server;
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove();
});
const ann = { id: "ann" };
const agent = { project: "p", agent: "a" };
const task = (id: string) => ({ id, parts: text(id), author: "ann" });

describe("auth (EN4)", () => {
  it("a key that was refused keeps the error until another one is saved, at once in what is open; then retry works", async () => {
    const server = await serve(new ScriptedLlm([failing("auth", { error_message: "bad key" }), answer({ say: "ok" })]));
    let api_key = "old";
    const { resolve } = server.host.models;
    server.host.models.resolve = async (...of) => {
      const model = await resolve(...of);
      return model && { ...model, api_key };
    };
    const session = await server.registry.create(agent, {}, ann);
    const reader = new Reader();
    session.subscribe(null, reader);
    await session.submit(task("t1"), false);
    await idle(session);
    expect(reader.state).toMatchObject({ state: "idle", error: { code: "auth", message: "bad key" } });
    await server.registry.credentialsChanged("p");
    await server.registry.credentialsChanged("other");
    expect(reader.state.error).toBeDefined();
    api_key = "new";
    await server.registry.credentialsChanged("p");
    expect(reader.state).toEqual({ state: "idle" });
    await session.retry("ann");
    await idle(session);
    expect((await server.records(session)).at(-1)?.payload).toMatchObject({ type: "request_end", status: "completed" });
  });
});
