import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./fixtures";
import { allow, idle, messageBox, send, startConversation, stop, transcript } from "./support/chat";
import { forgetModels, useFakeModels } from "./support/models";
import { Gate, lines } from "./support/provider";
import { kindOf, readLines, traceFiles } from "./support/traces";

test("the main job: ask the demo model for a file, allow it, find it; the Trace holds what is prescribed, in order", async ({
  app,
  server,
}) => {
  const session = await startConversation(app, "Create a file hello.txt that says hi");
  await expect(allow(app)).toBeVisible();
  const [before] = traceFiles(server.root, session);
  const meta = readLines(before ?? "")[0];
  const workspace = String(meta?.payload.workspace);
  // AC: nothing runs before the answer.
  expect(existsSync(join(workspace, "hello.txt"))).toBe(false);
  await allow(app).click();
  await idle(app);
  expect(readFileSync(join(workspace, "hello.txt"), "utf8").trim()).toBe("hi");
  expect(workspace).toMatch(/\/workspaces\/tmp-[0-9a-f]{8}$/);
  await expect(transcript(app)).toContainText("Created");

  const [file] = traceFiles(server.root, session);
  const kinds = readLines(file ?? "").map(kindOf);
  const first = kinds.slice(0, kinds.indexOf("request_end/completed") + 1);
  expect(first.filter((kind) => kind !== "text/assistant" && kind !== "tool_call_output")).toEqual([
    "session_meta",
    "session_info",
    "text/user",
    "request_begin",
    "tool_call",
    "approval_decision",
    "token_usage",
    "request_end/completed",
  ]);
  expect(kinds.filter((kind) => kind === "tool_call_output")).toHaveLength(1);
  expect(kinds.slice(-4)).toEqual(["request_begin", "text/assistant", "token_usage", "request_end/completed"]);
  const decision = readLines(file ?? "").find(({ payload }) => payload.type === "approval_decision");
  expect(decision?.payload).toMatchObject({ decision: "allow", by: "admin" });
});

test("a denied call runs nothing, and the model is told", async ({ app, server }) => {
  const session = await startConversation(app, "Create a file never.txt that says no");
  await app.getByRole("button", { name: /^Deny/ }).click();
  await idle(app);
  const lines = readLines(traceFiles(server.root, session)[0] ?? "");
  const output = lines.find(({ payload }) => payload.type === "tool_call_output");
  expect(output?.payload).toMatchObject({ output: "Tool call denied by user.", stop_reason: "aborted" });
  expect(existsSync(join(String(lines[0]?.payload.workspace), "never.txt"))).toBe(false);
});

test("reload in mid-answer, and a second tab: the same text, nothing doubled or lost (CH1)", async ({
  app,
  api,
  provider,
}) => {
  await useFakeModels(api, provider);
  const [reloaded, opened] = [new Gate(), new Gate()];
  const slow = [...lines(1, 5), { until: reloaded }, ...lines(6, 20), { until: opened }, ...lines(21, 40)];
  provider.script(slow);
  await startConversation(app, "Write 40 lines");
  await expect(transcript(app)).toContainText("Line 3", { timeout: 20_000 });
  await app.reload();
  reloaded.open();
  await expect(transcript(app)).toContainText("Line 17");
  const second = await app.context().newPage();
  await second.goto(app.url());
  await expect(transcript(second)).toContainText("Line 3");
  opened.open();
  for (const page of [app, second]) await expect(transcript(page)).toContainText("Line 40");
  await idle(app);
  await idle(second);
  const [one, two] = [await transcript(app).textContent(), await transcript(second).textContent()];
  for (const text of [one, two]) {
    for (const line of [3, 17, 40]) expect(text?.match(new RegExp(`Line ${line}(?!\\d)`, "g"))).toHaveLength(1);
  }
  expect(answerOf(one)).toBe(answerOf(two));
  await second.close();
  await forgetModels(api);
});

test("a closed tab changes nothing: the Task goes on to its end (P7)", async ({ app, api, provider, server }) => {
  await useFakeModels(api, provider);
  const closed = new Gate();
  provider.script([...lines(1, 10), { until: closed }, ...lines(11, 30)]);
  const page = await app.context().newPage();
  const session = await startConversation(page, "Write 30 lines");
  await expect(transcript(page)).toContainText("Line 2", { timeout: 20_000 });
  await page.close();
  closed.open();
  await expect
    .poll(
      () =>
        readLines(traceFiles(server.root, session)[0] ?? "")
          .map(kindOf)
          .at(-1),
      { timeout: 40_000 },
    )
    .toBe("request_end/completed");
  await app.goto(`/p/default_project/a/default_agent/s/${session}`);
  await expect(transcript(app)).toContainText("Line 30");
  await forgetModels(api);
});

test("a page on which something turns rests between two deltas", async ({ app, provider, api }) => {
  await useFakeModels(api, provider);
  provider.script([{ text: "So far. " }, { hang: true }]);
  await startConversation(app, "think about it");
  await expect(transcript(app)).toContainText("So far.");
  await expect(app.locator(".animate-turn").first()).toBeVisible();
  const cdp = await app.context().newCDPSession(app);
  await cdp.send("Performance.enable");
  const frames = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "RecalcStyleCount")?.value ?? Number.NaN;
  };
  // An animation that is not the compositor's has styles for each frame: sixty a second.
  const inASecond = async () => {
    const before = await frames();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return (await frames()) - before;
  };
  await expect.poll(inASecond).toBeLessThan(15);
  await stop(app).click();
  await idle(app);
  await forgetModels(api);
});

test("ux 9: Stop keeps the text so far, says by whom, and leaves the composer ready (EN7)", async ({ app, server }) => {
  const session = await startConversation(app, "Write 400 lines slowly");
  await expect(transcript(app)).toContainText("Line 2", { timeout: 20_000 });
  await stop(app).click();
  await idle(app);
  await expect(transcript(app)).toContainText("Line 2");
  await expect(transcript(app)).toContainText("Stopped by you");
  const kinds = readLines(traceFiles(server.root, session)[0] ?? "").map(kindOf);
  expect(kinds.slice(-2)).toEqual(["request_end/aborted", "abort"]);
  await send(app, "hello again");
  await idle(app);
  await expect(messageBox(app)).toBeEnabled();
});

/** The counted lines of the answer, without times and buttons around them. */
const answerOf = (text: string | null): string => (text?.match(/Line \d+/g) ?? []).join(" ");
