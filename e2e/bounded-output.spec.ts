import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./fixtures";
import { allow, idle, startConversation, transcript } from "./support/chat";
import { readLines, traceFiles } from "./support/traces";

test("oversized output: Trace, provider and page have the same bounded text, marker and recovery path; deleting the conversation deletes that file (EN8)", async ({
  app,
  api,
  server,
  provider,
}) => {
  const models = [{ provider: "fake", model_id: "fake", base_url: provider.url, api_key: "sk-test-key-000000" }];
  const data = { models, default_model: { provider: "fake", model_id: "fake" } };
  expect((await api.put("/api/projects/default_project/models", { data })).status()).toBe(200);
  const args = JSON.stringify({ description: "print a lot", cmd: "seq 1 20000" });
  provider.script(
    [{ calls: [{ id: "call_big", name: "exec_command", arguments: args }] }],
    [{ text: "That was long." }],
  );
  const session = await startConversation(app, "print a lot");
  await allow(app).click();
  await expect(transcript(app)).toContainText("That was long.");
  await idle(app);

  const records = readLines(traceFiles(server.root, session)[0] ?? "");
  const recorded = String(records.find(({ payload }) => payload.type === "tool_call_output")?.payload.output);
  const whole = Array.from({ length: 20_000 }, (_, i) => `${i + 1}\n`).join("");
  const [, path = ""] = /\[output archived: (.+)\]/.exec(recorded) ?? [];
  expect(recorded.startsWith(`${whole.slice(0, 16_000)}\n[output truncated: exceeded 16000 chars]\n`)).toBe(true);
  expect(readFileSync(path, "utf8")).toBe(whole);

  const sent = provider.requests.at(-1)?.messages.find(({ role }) => role === "tool");
  expect(sent?.content).toBe(recorded);

  const shown = async () => {
    const output = transcript(app).getByLabel("Output", { exact: true });
    const call = transcript(app).getByRole("button", { name: "print a lot", expanded: false });
    await expect(call.or(output).first()).toBeVisible();
    if (!(await output.isVisible())) await call.click();
    await expect(output).toBeVisible();
    return output.textContent();
  };
  expect(await shown()).toBe(recorded);
  await app.reload();
  await expect(transcript(app)).toContainText("That was long.");
  expect(await shown()).toBe(recorded);

  const scratchpad = join(server.root, "default_project", "agents", "default_agent", "scratchpad", session);
  expect(path.startsWith(scratchpad)).toBe(true);
  const gone = await api.delete(`/api/projects/default_project/agents/default_agent/sessions/${session}`);
  expect(gone.status()).toBe(204);
  expect([existsSync(path), existsSync(scratchpad)]).toEqual([false, false]);
  expect(provider.violations).toEqual([]);
});
