/** Issue 4, "must show" 4: after a run with failing providers that repeat the key, no key stands anywhere it must not. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type APIRequestContext, expect, request, test } from "@playwright/test";
import { ADMIN_PASSWORD, TestServer } from "./support/server";

const STORED = "sk-MARKER-stored-0123456789";
const FROM_ENV = "sk-MARKER-env-9876543210";
const MARKER = /MARKER-(stored|env)/;
const PROTOCOLS = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"] as const;
const PROJECT = "/api/projects/default_project";
const SESSIONS = `${PROJECT}/agents/default_agent/sessions`;

/** A provider that repeats the key it was sent in every failure it can think of; the first path segment says which. */
function startEcho(): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const { authorization, "x-api-key": anthropic, "x-goog-api-key": gemini } = request.headers;
    const key = String(authorization ?? anthropic ?? gemini ?? "none");
    request.resume().on("end", () => fail(response, (request.url ?? "").split("/")[1] ?? "", key));
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ server, origin: `http://127.0.0.1:${port}` });
    }),
  );
}

function fail(response: ServerResponse, how: string, key: string): void {
  const words = `Incorrect API key provided: ${key}. ${Buffer.from(key).toString("utf8")}`;
  const status = { auth: 401, refused: 400, moved: 307, busy: 503 }[how];
  if (how === "moved") response.setHeader("location", `https://elsewhere.test/?key=${encodeURIComponent(key)}`);
  if (status) {
    response.writeHead(status, { "content-type": "application/json", "x-echo": key });
    response.end(JSON.stringify({ type: "error", error: { type: "e", message: words, code: status, status: "E" } }));
    return;
  }
  response.writeHead(200, { "content-type": how === "html" ? "text/html" : "text/event-stream" });
  if (how === "html") response.end(`<html>Bad gateway. Request had ${key}</html>`);
  else
    response.end(`event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "e", message: words } })}\n\n`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

async function signIn(url: string): Promise<APIRequestContext> {
  const context = await request.newContext({ baseURL: url });
  const { csrfToken } = await (await context.get("/api/auth/csrf")).json();
  const form = { user: "admin", password: ADMIN_PASSWORD, csrfToken, json: "true" };
  expect((await context.post("/api/auth/callback/credentials", { form })).ok()).toBe(true);
  return context;
}

test("AC3 no key in a response, a log, an error or a Trace, whatever the provider repeats", async () => {
  test.setTimeout(120_000);
  const env = { OPENAI_API_KEY: FROM_ENV, ANTHROPIC_API_KEY: FROM_ENV, GEMINI_API_KEY: FROM_ENV };
  const { server: echo, origin } = await startEcho();
  const server = await TestServer.start({ ...env, OPENAI_BASE_URL: `${origin}/auth/v1` });
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
  const input = [{ type: "text", text: "Run `env; cat /proc/self/environ`" }];
  await keep(await api.post(`${SESSIONS}/${id}/tasks`, { data: { input } }));
  await expect
    .poll(async () => (await (await api.get(`${SESSIONS}/${id}/messages`)).text()).includes("tool_call_output"))
    .toBe(true);
  await keep(await api.get(`${SESSIONS}/${id}/messages`));

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
  await server.remove();
});
