/** Issue 4, "must show" 3: endpoints of every protocol, added, tested, used, priced, switched, removed. */
import type { Locator, Page } from "@playwright/test";
import { type ClientType, PROTOCOL_NAMES } from "@/lib/model/protocol";
import { startVendor, type Vendor } from "@/server/llm/testing/vendor";
import { expect, test } from "./fixtures";
import { allow, idle, send, startConversation, transcript } from "./support/chat";
import { readLines, traceFiles } from "./support/traces";

const PROTOCOLS: ClientType[] = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"];
const KEY = "sk-e2e-0123456789abcdef";
const CALL = { id: "call_1", name: "write_file", args: '{"description":"d","path":"made.txt","content":"made"}' };
/** 17,903 in of which 17,817 cached, 50 out. */
const USAGE = { fresh: 86, cached: 17_817, created: 0, output: 50 };
const COST = "$0.0019677";

const rowOf = (page: Page, name: string): Locator => page.getByRole("listitem").filter({ hasText: name }).first();
const menuOf = async (page: Page, name: string, item: string): Promise<void> => {
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

async function addEndpoint(page: Page, vendor: Vendor, protocol: ClientType): Promise<void> {
  const model = `model-${protocol}`;
  await page.getByRole("button", { name: "Add models" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add models" });
  await expect(dialog.getByLabel("Provider")).toBeFocused();
  await dialog.getByLabel("Provider").fill(`by-${protocol}`);
  await dialog.getByLabel("Base URL").fill(vendor.baseUrl);
  await dialog.getByLabel("API key").fill(KEY);
  await dialog.getByRole("button", { name: "Find models" }).click();
  await expect(dialog.getByText("models listed")).toBeVisible();
  const chosen = dialog.getByRole("combobox", { name: "Protocol" });
  if ((await chosen.textContent()) !== PROTOCOL_NAMES[protocol]) {
    await chosen.click();
    await page.getByRole("option", { name: PROTOCOL_NAMES[protocol] }).click();
  }
  await expect(chosen).toHaveText(PROTOCOL_NAMES[protocol]);
  await dialog.getByLabel("Search, or type an id").fill(model);
  await dialog.getByRole("checkbox", { name: model }).check();
  await dialog.getByText(`Details of ${model}`).click();
  await dialog.getByLabel("Input", { exact: true }).fill("1.00");
  await dialog.getByLabel("Cached input").fill("0.10");
  await dialog.getByLabel("Output", { exact: true }).fill("2.00");
  vendor.say([{ text: "Hello there, it works." }], { fresh: 5, cached: 0, created: 0, output: 7 });
  await dialog.getByRole("button", { name: "Test" }).click();
  await expect(dialog.getByText("The model answers.")).toBeVisible();
  await expect(dialog.getByText("to first token")).toBeVisible();
  await dialog.getByRole("button", { name: "Add model" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(rowOf(page, model)).toContainText(PROTOCOL_NAMES[protocol]);
}

test("each protocol: add, test, a tool call, cost with cached tokens, default, remove (PV17, PV25, PV26, UC10)", async ({
  app,
  api,
  server,
}) => {
  test.setTimeout(150_000);
  await api.put("/api/projects/default_project/models", { data: { models: [], default_model: null } });
  const vendors = await Promise.all(
    PROTOCOLS.map((protocol) => startVendor(protocol, { models: [`model-${protocol}`, "another"] })),
  );
  const sessions: string[] = [];
  await app.goto("/p/default_project/models");
  for (const [i, protocol] of PROTOCOLS.entries()) {
    const vendor = vendors[i];
    if (!vendor) throw new Error("no vendor");
    const model = `model-${protocol}`;
    await app.goto("/p/default_project/models");
    await addEndpoint(app, vendor, protocol);
    // Keys are never shown again, only masked and since when.
    await expect(rowOf(app, model)).toContainText("sk-e…cdef");
    await expect(rowOf(app, model)).not.toContainText(KEY);
    if (i > 0) await menuOf(app, model, "Make default");
    await expect(rowOf(app, model).getByText("Default", { exact: true })).toBeVisible();

    const before = vendor.violations.length;
    vendor.say([{ call: CALL }], { fresh: 10, cached: 0, created: 0, output: 5 });
    vendor.say([{ text: "The file is made." }], { fresh: 20, cached: 0, created: 0, output: 5 });
    const session = await startConversation(app, "make the file");
    sessions.push(session);
    await allow(app).click();
    await expect(transcript(app)).toContainText("The file is made.");
    await idle(app);
    vendor.say([{ text: "Counted." }], USAGE);
    await send(app, "and what did that cost?");
    await expect(transcript(app)).toContainText("Counted.");
    await expect(transcript(app).getByText(COST)).toBeVisible();
    expect(vendor.violations.slice(before)).toEqual([]);
    const usage = readLines(traceFiles(server.root, session)[0] ?? "").filter(
      ({ payload }) => payload.type === "token_usage",
    );
    expect(usage.at(-1)?.payload).toMatchObject({
      request: { cache_read: 17_817, cache_write: 86, output: 50 },
      price: { cache_read: 0.1, cache_write: 1, output: 2 },
    });
  }

  // One default at a time; the last one chosen is what a new conversation takes.
  await app.goto("/p/default_project/models");
  await expect(app.getByRole("listitem").getByText("Default", { exact: true })).toHaveCount(1);

  // Remove a model, and with it its provider: everything of the past still opens.
  // One Escape closes, and focus is where it was before the menu.
  await menuOf(app, "model-openai-chat", "Edit");
  await expect(app.getByRole("dialog", { name: "Edit model" }).getByLabel("Base URL")).toBeFocused();
  await app.keyboard.press("Escape");
  await expect(app.getByRole("button", { name: "More for model-openai-chat" })).toBeFocused();
  await menuOf(app, "model-openai-chat", "Remove");
  const question = app.getByRole("alertdialog");
  await expect(question).toContainText("1 conversation was held with it.");
  await question.getByRole("button", { name: "Remove" }).click();
  await expect(rowOf(app, "model-openai-chat")).toHaveCount(0);
  const [first = ""] = sessions;
  await app.goto(`/p/default_project/a/default_agent/s/${first}`);
  await expect(transcript(app)).toContainText("Counted.");
  await expect(transcript(app).getByText(COST)).toBeVisible();
  await expect(app.getByText("The provider by-openai-chat is no longer set up")).toBeVisible();
  const path = `/api/projects/default_project/agents/default_agent`;
  const sent = await api.post(`${path}/sessions/${first}/tasks`, { data: { input: [{ type: "text", text: "more" }] } });
  expect(sent.status()).toBe(409);
  expect((await sent.json()).error).toMatchObject({
    code: "model_missing",
    message: expect.stringContaining("/model"),
    details: { provider: "by-openai-chat", model_id: "model-openai-chat", missing: "provider" },
  });
  expect((await api.get(`${path}/traces/${first}/1`)).status()).toBe(200);
  expect((await api.get(`${path}/traces/${first}/analysis`)).status()).toBe(200);
  await app.goto(`/p/default_project/traces/default_agent/${first}/1?view=events`);
  await expect(app.getByText("Counted.").first()).toBeVisible();
  await Promise.all(vendors.map((vendor) => vendor.close()));
  await api.put("/api/projects/default_project/models", { data: { models: [], default_model: null } });
});
