import { expect, test } from "./fixtures";
import { idle, startConversation, transcript } from "./support/chat";
import type { Step } from "./support/provider";

const place = (id: string) => `/p/default_project/a/default_agent/s/${id}`;
const lines = (text: string | null) => (text?.match(/Line \d+;/g) ?? []).join("");
const all = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i + 1};`).join("");
/** An answer of so many lines that takes its time. */
const slow = (count: number, every = 120): Step[] =>
  Array.from({ length: count }, (_, i) => [{ text: `Line ${i + 1};\n\n` }, { wait: every }]).flat();

test.beforeEach(async ({ app, provider }) => {
  const body = {
    models: [{ provider: "fake", model_id: "fake", base_url: provider.url, api_key: "sk-test-key-000000" }],
    default_model: { provider: "fake", model_id: "fake" },
  };
  expect((await app.request.put("/api/projects/default_project/models", { data: body })).status()).toBe(200);
});
// The server is shared: other tests expect the demo model.
test.afterEach(async ({ app }) => {
  await app.request.put("/api/projects/default_project/models", { data: { models: [], default_model: null } });
});

test("SS01, SS13, SS17: leave a conversation that answers, work in another one, come back", async ({
  app,
  provider,
}) => {
  provider.script(slow(30), [{ text: "Answer in B." }]);
  const first = await startConversation(app, "Slowly in A");
  await expect(transcript(app)).toContainText("Line 2;");
  await startConversation(app, "Quick in B");
  await expect(transcript(app)).toContainText("Answer in B.");
  expect(lines(await transcript(app).textContent())).toBe("");
  await app
    .locator(`a[href="${place(first)}"]`)
    .first()
    .click();
  await expect(transcript(app)).toContainText("Slowly in A");
  await expect(transcript(app)).toContainText("Line 2;");
  await expect(transcript(app)).toContainText("Line 30;", { timeout: 20_000 });
  await idle(app);
  expect(lines(await transcript(app).textContent())).toBe(all(30));
});
