import { afterEach, expect, it } from "vitest";
import { ScriptedLlm } from "../engine/testing/script";
import { createLlm } from "../llm/adapters";
import { startVendor, type Vendor } from "../llm/testing/vendor";
import { AGENT, idle, Reader, type TestServer, testServer, text } from "./testing/host";

const KEY = "sk-moved-0123456789abcdef";
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(cleanUp.splice(0).map((end) => end()));
});

async function vendor(): Promise<Vendor> {
  const started = await startVendor("anthropic-messages");
  cleanUp.push(() => started.close());
  return started;
}

/** A new process, whose model answers at this vendor. */
function restartAt(server: TestServer, { baseUrl }: Vendor): void {
  server.restart();
  const model = { client_type: "anthropic-messages" as const, base_url: baseUrl, api_key: KEY };
  server.host.models.resolve = async (_, provider) => ({ provider, model_id: "claude-sonnet-5", ...model });
  server.host.createLlm = (resolved) => createLlm(resolved);
}

async function ask(server: TestServer, words: string, session?: string) {
  const opened = session
    ? await server.registry.open({ ...AGENT, session })
    : await server.registry.create(AGENT, {}, { id: "ann" });
  if (!opened) throw new Error("not there");
  const reader = new Reader();
  opened.subscribe(null, reader);
  await opened.submit({ id: words, parts: text(words), author: "ann" }, false);
  await idle(opened);
  return { reader, ref: opened.ref, raw: await server.raw(opened) };
}

it("TH11, RS8: saved, resumed, moved and moved back: fidelity goes where it was written, and the person is told", async () => {
  const [home, away] = [await vendor(), await vendor()];
  const server = await testServer(new ScriptedLlm([]));
  cleanUp.push(() => server.remove());

  home.say([{ thinking: "deep" }, { hidden: "dark" }, { text: "first" }]);
  restartAt(server, home);
  const first = await ask(server, "one");
  expect(first.reader.state.moved).toBeUndefined();
  const seal = /"signature":"([^"]+)"/.exec(first.raw)?.[1];
  if (!seal) throw new Error("no signature in the Trace");

  away.say([{ text: "second" }]);
  restartAt(server, away);
  const second = await ask(server, "two", first.ref.session);
  expect(away.sent[0]?.raw).toContain("first");
  expect(away.sent[0]?.raw).not.toContain(seal);
  const [from, to] = [home, away].map(({ baseUrl }) => new URL(baseUrl).host);
  expect(second.reader.state.moved).toEqual({ from, to });
  expect(second.raw.startsWith(first.raw)).toBe(true);

  home.say([{ text: "third" }]);
  restartAt(server, home);
  const third = await ask(server, "three", first.ref.session);
  expect(home.sent.at(-1)?.raw).toContain(seal);
  expect(third.reader.state.moved).toBeUndefined();

  home.fail(401, "auth", `invalid x-api-key ${KEY}`);
  const refused = await ask(server, "four", first.ref.session);
  expect(refused.reader.state.error?.message).toContain("invalid x-api-key [key]");
  // KEYS: neither the Trace nor what a browser is sent holds the key.
  for (const { reader, raw } of [first, second, third, refused]) {
    expect(raw + JSON.stringify(reader.frames)).not.toContain(KEY);
  }
  expect([...home.violations, ...away.violations]).toEqual([]);
});
