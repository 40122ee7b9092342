import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./fixtures";
import { idle, startConversation } from "./support/chat";
import { sha256, traceFiles } from "./support/traces";

const TRACES = "/api/projects/default_project/agents";

test("export, import under another Agent, export again: the same bytes; a second import is refused (IM2, IM3, IM4)", async ({
  app,
  api,
  server,
}) => {
  const session = await startConversation(app, "hello there");
  await idle(app);
  const onDisk = readFileSync(traceFiles(server.root, session)[0] ?? "");
  const exported = await (await api.get(`${TRACES}/default_agent/traces/${session}/1/raw`)).body();
  expect(sha256(exported)).toBe(sha256(onDisk));

  expect((await api.post(TRACES, { data: { id: "second_agent" } })).status()).toBe(201);
  const post = () =>
    api.post(`${TRACES}/second_agent/traces`, { data: exported, headers: { "content-type": "application/x-ndjson" } });
  const first = await post();
  expect(first.status()).toBe(201);
  expect(await first.json()).toMatchObject({ session_id: session, index: 1, damaged: [] });
  const again = await post();
  expect(again.status()).toBe(409);
  expect((await again.json()).error).toMatchObject({
    code: "session_exists",
    message: expect.stringContaining(session),
  });
  const imported = await (await api.get(`${TRACES}/second_agent/traces/${session}/1/raw`)).body();
  expect(sha256(imported)).toBe(sha256(onDisk));

  await app.goto("/p/default_project/traces?agent=second_agent");
  await expect(app.locator(`a[href*="/traces/second_agent/${session}/1"]`).first()).toBeVisible();
  await app.goto(`/p/default_project/traces/second_agent/${session}/1`);
  await expect(app.getByText("hello there").first()).toBeVisible();
  // Whom an imported file names is a stranger, also by the reader's own id.
  await app.goto(`/p/default_project/a/second_agent/s/${session}`);
  await expect(app.getByRole("article", { name: "Message by admin, from the file" })).toContainText("hello there");
});

test("a file that is no Trace: nothing is created, the message names line and cause (IM1)", async ({ api }) => {
  const refused = await api.post(`${TRACES}/default_agent/traces`, {
    data: '{"hello":1}\n',
    headers: { "content-type": "application/x-ndjson" },
  });
  expect(refused.status()).toBe(422);
  expect((await refused.json()).error.message).toMatch(/line 1/i);
});

test("model and Workspace are locked; a Workspace that is missing is refused and nothing is made", async ({
  api,
  server,
}) => {
  const sessions = `${TRACES}/default_agent/sessions`;
  const created = await (await api.post(sessions, { data: {} })).json();
  const one = `${sessions}/${created.session.id}`;
  expect(created.session.workspace).toMatch(/\/workspaces\/tmp-[0-9a-f]{8}$/);
  for (const data of [{ model: { provider: "x", model_id: "y" } }, { workspace: "/tmp" }]) {
    const patched = await api.patch(one, { data });
    expect([patched.status(), (await patched.json()).error.code]).toEqual([400, "locked"]);
    const task = await api.post(`${one}/tasks`, { data: { input: [{ type: "text", text: "x" }], ...data } });
    expect([task.status(), (await task.json()).error.code]).toEqual([400, "locked"]);
  }
  const missing = await api.post(sessions, { data: { workspace: join(server.workspaces, "nowhere") } });
  expect([missing.status(), (await missing.json()).error.code]).toEqual([400, "workspace_not_found"]);
});

test("two Sessions of one Agent work in two Workspaces at once", async ({ api, server }) => {
  const sessions = `${TRACES}/default_agent/sessions`;
  const made = await Promise.all(
    ["left", "right"].map(async (name) => {
      const workspace = join(server.workspaces, name);
      mkdirSync(workspace);
      const answer = await api.post(sessions, { data: { workspace, approval_mode: "allow-all" } });
      const { session } = await answer.json();
      await api.post(`${sessions}/${session.id}/tasks`, {
        data: { input: [{ type: "text", text: `Create a file ${name}.txt that says ${name}` }] },
      });
      return { name, workspace };
    }),
  );
  for (const { name, workspace } of made) {
    await expect
      .poll(() => {
        try {
          return readFileSync(join(workspace, `${name}.txt`), "utf8").trim();
        } catch {
          return null;
        }
      })
      .toBe(name);
  }
});
