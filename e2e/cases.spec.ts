import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "./fixtures";
import { idle, messageBox, send, startConversation, transcript } from "./support/chat";
import { forgetModels } from "./support/models";
import type { TestServer } from "./support/server";
import { sha256 } from "./support/traces";

const TRACES = join(import.meta.dirname, "../server/session/cases/fixtures/traces");
const AGENT = "agents/default_agent";

/** Puts a Trace of the cases on the disk of the server; resolves with its Session id and its place. */
function place(server: TestServer, name: string): { session: string; path: string } {
  const content = readFileSync(join(TRACES, `${name}.jsonl`), "utf8")
    .replaceAll("@ROOT@/p/agents/a", join(server.root, "default_project", AGENT))
    .replaceAll("@WORKSPACE@", server.workspaces);
  const session = /"session_id":"([^"]+)"/.exec(content)?.[1] ?? "";
  const path = join(server.root, "default_project", AGENT, "traces/2026-07-18", `${session}_001.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return { session, path };
}

test.beforeEach(async ({ app, provider }) => {
  const model = { provider: "fake", model_id: "done" };
  const body = { models: [{ ...model, base_url: provider.url, api_key: "sk-test-key-000000" }], default_model: model };
  expect((await app.request.put("/api/projects/default_project/models", { data: body })).status()).toBe(200);
});

test.afterEach(async ({ api }) => forgetModels(api));

test("SR02 SR13 a damaged line: named in the conversation and in the Trace view, both turns shown and sent, exported byte for byte", async ({
  app,
  api,
  server,
  provider,
}) => {
  const { session, path } = place(server, "bad-midline");
  const exported = await api.get(`/api/projects/default_project/${AGENT}/traces/${session}/1/raw`);
  expect(sha256(await exported.body())).toBe(sha256(readFileSync(path)));
  await app.goto(`/p/default_project/a/default_agent/s/${session}`);
  for (const said of ["first answer", "second answer"]) await expect(transcript(app)).toContainText(said);
  await expect(app.getByText("Line 7 of file 1 is damaged and was left out.")).toBeVisible();
  await send(app, "hi");
  await expect(transcript(app)).toContainText("OK, done.");
  expect(provider.violations).toEqual([]);
  expect(JSON.stringify(provider.requests.at(-1)?.messages)).toMatch(/first question.*second question.*hi/);
  await app.goto(`/p/default_project/traces/default_agent/${session}/1`);
  await expect(app.getByText("Damaged line").first()).toBeVisible();
});

test("FS10 the Workspace is gone: the conversation opens, says which one is missing, and keeps what was typed", async ({
  app,
  server,
}) => {
  const { session } = place(server, "workspace-gone");
  await app.goto(`/p/default_project/a/default_agent/s/${session}`);
  await expect(transcript(app)).toContainText("second answer");
  await expect(app.getByText(/Workspace .*penguin-no-such-workspace no longer exists/).first()).toBeVisible();
});

test("KB04 TP16 a refused prompt returns to the composer; a model that says nothing is told", async ({
  app,
  provider,
}) => {
  provider.script([{ text: "Small answer." }], [{ status: 413, message: "request entity too large" }], []);
  await startConversation(app, "small");
  await expect(transcript(app)).toContainText("Small answer.");
  await idle(app);
  await messageBox(app).fill("far too large");
  await messageBox(app).press("Enter");
  await expect(app.getByText(/request entity too large/).first()).toBeVisible();
  await expect(messageBox(app)).toHaveValue("far too large");
  await messageBox(app).fill("");
  await send(app, "hi");
  await expect(transcript(app)).toContainText("The model gave no answer.");
  expect(provider.violations).toEqual([]);
  expect(JSON.stringify(provider.requests.at(-1)?.messages)).not.toContain("far too large");
});
