import { expect, signIn, test } from "./fixtures";
import { allow, idle, messageBox, send, startConversation, transcript } from "./support/chat";
import { kindOf, readLines, traceFiles } from "./support/traces";

test.describe("kill -9", () => {
  // The killed server cannot answer; the browser says so in its console.
  test.use({ expectedErrors: [/Failed to load resource|ERR_|network|fetch/i] });

  test.beforeEach(async ({ app, provider }) => {
    const body = {
      models: [{ provider: "fake", model_id: "fake", base_url: provider.url, api_key: "sk-test-key-000000" }],
      default_model: { provider: "fake", model_id: "fake" },
    };
    const put = await app.request.put("/api/projects/default_project/models", { data: body });
    expect(put.status()).toBe(200);
  });

  test("in mid-answer: history as committed, interrupted shown, the next message works (SR11, RS1, RS5, TR3)", async ({
    app,
    server,
    provider,
  }) => {
    provider.script([{ text: "First answer." }], [{ text: "half of " }, { wait: 60_000 }]);
    const session = await startConversation(app, "first question");
    await expect(transcript(app)).toContainText("First answer.");
    await idle(app);
    await send(app, "second question");
    await expect(transcript(app)).toContainText("half of");
    await server.down("SIGKILL");
    const bytes = readLines(traceFiles(server.root, session)[0] ?? "").length;
    await server.up();
    await app.reload();
    await expect(transcript(app)).toContainText("First answer.");
    await expect(transcript(app)).toContainText("second question");
    await expect(app.getByText(/interrupted|cut off/i).first()).toBeVisible();
    // RS4: opening writes nothing.
    expect(readLines(traceFiles(server.root, session)[0] ?? "")).toHaveLength(bytes);
    provider.script([{ text: "Third answer." }]);
    await send(app, "third question");
    await expect(transcript(app)).toContainText("Third answer.");
    expect(provider.violations).toEqual([]);
    const sent = JSON.stringify(provider.requests.at(-1)?.messages);
    expect(sent).toContain("second question");
    expect(sent).toContain("third question");
  });

  test("in mid-tool: the committed call has exactly one output in the next request (EN3, RS2)", async ({
    app,
    server,
    provider,
  }) => {
    const call = { id: "call_a", name: "exec_command", arguments: '{"description":"wait","cmd":"sleep 300"}' };
    provider.script([{ calls: [call] }]);
    const session = await startConversation(app, "run something long");
    await allow(app).click();
    const lines = () => readLines(traceFiles(server.root, session)[0] ?? "").map(kindOf);
    await expect.poll(() => lines().at(-1)).toBe("request_end/completed");
    await server.down("SIGKILL");
    await server.up();
    await app.reload();
    await expect(app.getByText(/interrupted/i).first()).toBeVisible();
    provider.script([{ text: "Understood." }]);
    await send(app, "go on");
    await expect(transcript(app)).toContainText("Understood.");
    expect(provider.violations).toEqual([]);
    const outputs = provider.requests.at(-1)?.messages.filter(({ role }) => role === "tool");
    expect(outputs).toEqual([expect.objectContaining({ tool_call_id: "call_a" })]);
    await expect(messageBox(app)).toBeEnabled();
  });
});

test("SIGTERM ends within a second with an open stream and a running Task, which is closed in its Trace (EN7)", async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  await signIn(page);
  await page.request.put("/api/projects/default_project/models", { data: { models: [], default_model: null } });
  const session = await startConversation(page, "Write 400 lines slowly");
  await expect(transcript(page)).toContainText("Line 2", { timeout: 20_000 });
  const took = await server.down("SIGTERM");
  await context.close();
  const lines = readLines(traceFiles(server.root, session)[0] ?? "").map(kindOf);
  expect(lines.slice(-2)).toEqual(["request_end/aborted", "abort"]);
  // The promise is one second; the margin is for a busy test machine.
  expect(took).toBeLessThan(3_000);
  await server.up();
});
