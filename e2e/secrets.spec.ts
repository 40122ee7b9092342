/** Issue 4, "must show" 4: after a run with failing providers that repeat the key, no key stands anywhere it must not. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type APIRequestContext, expect, request, test } from "@playwright/test";
import { startEcho } from "./support/echo";
import { ADMIN_PASSWORD, TestServer } from "./support/server";

const STORED = "sk-MARKER-stored-0123456789";
const FROM_ENV = "sk-MARKER-env-9876543210";
const MARKER = /MARKER-(stored|env)/;
const PROTOCOLS = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"] as const;
const PROJECT = "/api/projects/default_project";
const SESSIONS = `${PROJECT}/agents/default_agent/sessions`;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** Ended also when a test fails half way. */
const running: TestServer[] = [];
test.afterEach(async () => {
  for (const server of running.splice(0)) await server.remove();
});
async function startServer(env: Record<string, string>): Promise<TestServer> {
  const server = await TestServer.start(env);
  running.push(server);
  return server;
}

async function signIn(url: string): Promise<APIRequestContext> {
  const context = await request.newContext({ baseURL: url });
  const { csrfToken } = await (await context.get("/api/auth/csrf")).json();
  const form = { user: "admin", password: ADMIN_PASSWORD, csrfToken, json: "true" };
  expect((await context.post("/api/auth/callback/credentials", { form })).ok()).toBe(true);
  return context;
}

test("AC3 AT04 AT08 no key in a response, a log, an error, a Trace or /proc, whatever the provider repeats; nothing on the own port without a credential", async () => {
  test.setTimeout(120_000);
  const env = { OPENAI_API_KEY: FROM_ENV, ANTHROPIC_API_KEY: FROM_ENV, GEMINI_API_KEY: FROM_ENV };
  const { server: echo, origin } = await startEcho();
  const server = await startServer({ ...env, OPENAI_BASE_URL: `${origin}/auth/v1` });
  const api = await signIn(server.url);
  const seen: string[] = [];
  const keep = async (answer: Awaited<ReturnType<APIRequestContext["get"]>>) => {
    const text = await answer.text();
    seen.push(JSON.stringify(answer.headers()), text);
    return { status: answer.status(), text };
  };

  const failures = ["auth", "refused", "moved", "html", "stream"];
  const entries = failures.flatMap((how) =>
    PROTOCOLS.map((client_type) => ({
      provider: `${how}-${client_type}`,
      model_id: "m",
      client_type,
      base_url: `${origin}/${how}${client_type.startsWith("openai") ? "/v1" : ""}`,
      api_key: STORED,
    })),
  );
  const models = [...entries, { provider: "openai", model_id: "env-model", client_type: "openai-chat" }];
  expect((await keep(await api.put(`${PROJECT}/models`, { data: { models } }))).status).toBe(200);
  const view = await keep(await api.get(`${PROJECT}/models`));
  expect(view.text).toContain("sk-M…6789");
  expect(view.text).toContain('"env_key":"OPENAI_API_KEY"');

  // Refusals of the server itself: not JSON, a wrong field beside the key, an address that holds it.
  const bad = [
    `{"models":[{"provider":"x","model_id":"m","api_key":"${STORED}"`,
    JSON.stringify({ models: [{ provider: "x", model_id: "m", api_key: STORED, surplus: STORED }] }),
    JSON.stringify({ models: [{ provider: "x", model_id: "m", base_url: "nonsense", api_key: STORED }] }),
  ];
  for (const data of bad) {
    const headers = { "content-type": "application/json" };
    const refused = await keep(await api.put(`${PROJECT}/models`, { headers, data: Buffer.from(data) }));
    expect(refused.status).toBe(400);
  }

  // Tests and detection against every failure.
  await Promise.all(
    models.map(async (entry) => {
      const { api_key: _typed, ...stored } = { api_key: "", ...entry };
      const tested = await keep(await api.post(`${PROJECT}/models/test`, { data: stored }));
      expect(tested.status, tested.text).toBe(200);
      const base_url = "base_url" in entry ? entry.base_url : `${origin}/auth/v1`;
      const detect = { base_url, provider: entry.provider };
      expect((await keep(await api.post(`${PROJECT}/models/detect`, { data: detect }))).status).toBe(200);
    }),
  );

  // A Task with each: records, stream, messages, Traces. What is retried is stopped.
  const ended = models.map(async ({ provider, model_id }) => {
    const model = { provider, model_id };
    const made = await keep(await api.post(SESSIONS, { data: { model, approval_mode: "allow-all" } }));
    const { id } = JSON.parse(made.text).session;
    const at = `${SESSIONS}/${id}`;
    await keep(await api.post(`${at}/tasks`, { data: { input: [{ type: "text", text: "hello" }] } }));
    await expect
      .poll(async () => (await (await api.get(`${at}/messages`)).text()).includes("request_end"), { timeout: 30_000 })
      .toBe(true);
    await keep(await api.post(`${at}/abort`, { data: {} }));
    for (const path of [at, `${at}/messages`]) await keep(await api.get(path));
    const trace = `${PROJECT}/agents/default_agent/traces/${id}`;
    for (const path of [`${trace}/1`, `${trace}/1/raw`, `${trace}/analysis`]) await keep(await api.get(path));
    return id;
  });
  const ids = await Promise.all(ended);
  // The stream of one: its snapshot holds the error.
  const control = new AbortController();
  const cookie = (await api.storageState()).cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const live = await fetch(`${server.url}${SESSIONS}/${ids[0]}/events`, {
    headers: { cookie },
    signal: control.signal,
  });
  const chunk = await live.body?.getReader().read();
  seen.push(new TextDecoder().decode(chunk?.value));
  control.abort();

  // A child process of a tool sees none either (the demo model runs what it is asked to).
  const demo = { model: { provider: "demo", model_id: "demo" }, approval_mode: "allow-all" };
  const { id } = JSON.parse((await keep(await api.post(SESSIONS, { data: demo }))).text).session;
  const leaked = 'grep -qsa sk-MARK /proc/[0-9]*/environ && echo LEA""KED';
  const knock = `exec 3<>/dev/tcp/127.0.0.1/${server.port}; printf "GET ${PROJECT} HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3`;
  const input = [{ type: "text", text: `Run \`env; cat /proc/self/environ; ${leaked}; ${knock}\`` }];
  await keep(await api.post(`${SESSIONS}/${id}/tasks`, { data: { input } }));
  await expect
    .poll(async () => (await (await api.get(`${SESSIONS}/${id}/messages`)).text()).includes("tool_call_output"))
    .toBe(true);
  const said = (await keep(await api.get(`${SESSIONS}/${id}/messages`))).text;
  expect(said).toContain("HTTP/1.1 401");
  expect(said).not.toContain("LEAKED");
  // Nor what the system shows of the server itself.
  const lock = JSON.parse(readFileSync(join(server.root, ".server.lock"), "utf8"));
  expect(readFileSync(`/proc/${lock.pid}/environ`, "latin1")).not.toMatch(/MARKER|correct horse/);

  // A config file that cannot be read: the error names the file, not what stands in it.
  const config = filesBelow(server.root).filter((path) => path.endsWith("default_project/.project_config.toml"));
  const [path = ""] = config;
  const good = readFileSync(path, "utf8");
  expect(good).toMatch(MARKER);
  writeFileSync(path, `${good}\nbroken = "${STORED}\n`);
  await keep(await api.get(`${PROJECT}/models`));
  await keep(await api.post(`${SESSIONS}/${ids[0]}/tasks`, { data: { input } }));
  writeFileSync(path, good);
  await api.dispose();
  await server.down();
  echo.closeAllConnections();
  echo.close();

  const where: string[] = [];
  if (seen.some((text) => MARKER.test(text))) where.push(`a response: ${seen.find((text) => MARKER.test(text))}`);
  if (MARKER.test(server.output)) where.push("the server's log");
  const files = filesBelow(server.root);
  expect(files.filter((file) => file.endsWith(".jsonl")).length).toBeGreaterThan(models.length);
  for (const file of files) if (file !== path && MARKER.test(readFileSync(file, "latin1"))) where.push(file);
  expect(where).toEqual([]);
});

test("AC3 no key in what a model says: Trace, stream, title, fork, summary of a compaction, list of models", async () => {
  test.setTimeout(120_000);
  const { server: echo, origin } = await startEcho();
  const server = await startServer({ PENGUIN_AUTO_TITLE: "1" });
  const api = await signIn(server.url);
  const cookie = (await api.storageState()).cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const secret = "query-MARKER-stored-value";
  const seen: string[] = [];
  const keep = async (answer: Awaited<ReturnType<APIRequestContext["get"]>>) => {
    const text = await answer.text();
    seen.push(text);
    expect(answer.ok(), text).toBe(true);
    return JSON.parse(text || "null");
  };
  const models = PROTOCOLS.map((client_type) => ({
    provider: `says-${client_type}`,
    model_id: "m",
    client_type,
    base_url: `${origin}/says-${client_type}${client_type.startsWith("openai") ? "/v1" : ""}?api-version=2&code=${secret}`,
    api_key: STORED,
  }));
  const view = await keep(await api.put(`${PROJECT}/models`, { data: { models } }));
  expect(view.models[0].base_url).toMatch(/\?api-version=2&code=\*\*\*$/);

  for (const { provider, base_url } of models) {
    const detected = await api.post(`${PROJECT}/models/detect`, { data: { base_url, provider } });
    const { found } = await detected.json();
    // What was typed comes back to who typed it; what the endpoint lists is another matter.
    expect(found[0].models.map(({ id }: { id: string }) => id).sort()).toEqual(["[key]", "model-[key]"]);

    const model = { provider, model_id: "m" };
    const made = await keep(await api.post(SESSIONS, { data: { model, approval_mode: "allow-all" } }));
    const at = `${SESSIONS}/${made.session.id}`;
    const control = new AbortController();
    const live = await fetch(`${server.url}${at}/events`, { headers: { cookie }, signal: control.signal });
    const streamed = (async () => {
      for await (const chunk of live.body ?? []) seen.push(new TextDecoder().decode(chunk));
    })().catch(() => {});
    await keep(await api.post(`${at}/tasks`, { data: { input: [{ type: "text", text: "What is it?" }] } }));
    const session = async () => await (await api.get(at)).json();
    await expect.poll(async () => (await session()).status, { timeout: 20_000 }).toBe("idle");
    await expect.poll(async () => (await session()).title, { timeout: 20_000 }).not.toBeNull();
    const { records } = await keep(await api.get(`${at}/messages`));
    const ends = records.filter(
      ({ message }: { message: { payload: { type: string } } }) => message.payload.type === "request_end",
    );
    expect(ends).toHaveLength(2);
    await keep(await api.post(`${at}/fork`, { data: ends.at(-1).address }));
    await keep(await api.post(`${at}/compact`, { data: {} }));
    await expect.poll(async () => (await session()).status).toBe("idle");
    await keep(await api.post(`${at}/tasks`, { data: { input: [{ type: "text", text: "And now?" }] } }));
    await expect.poll(async () => (await session()).status, { timeout: 20_000 }).toBe("idle");
    const { records: later } = await keep(await api.get(`${at}/messages`));
    const text = JSON.stringify(later);
    // Gemini's calls carry no id.
    const parts = [
      "[context_summary]",
      "echo [key]",
      '"thinking":"[key]"',
      provider.endsWith("gemini") ? "" : "call-[key]",
    ];
    expect(parts.filter((part) => !text.includes(part))).toEqual([]);
    control.abort();
    await streamed;
  }
  await keep(await api.get(SESSIONS));
  await api.dispose();
  await server.down();
  echo.closeAllConnections();
  echo.close();

  const where = seen.filter((text) => MARKER.test(text)).slice(0, 1);
  if (MARKER.test(server.output)) where.push("the server's log");
  for (const file of filesBelow(server.root)) {
    const config = file.endsWith("default_project/.project_config.toml");
    if (!config && MARKER.test(readFileSync(file, "latin1"))) where.push(file);
  }
  expect(where).toEqual([]);
});
