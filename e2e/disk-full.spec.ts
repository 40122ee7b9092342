import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, signIn, test } from "./fixtures";
import { idle, messageBox, send, startConversation, transcript } from "./support/chat";
import { TestServer } from "./support/server";
import { SmallDisk } from "./support/small-disk";
import { sha256, traceFiles } from "./support/traces";

const LONG = "long words ".repeat(2_000);
const AGENT = "/api/projects/default_project/agents/default_agent";
const MODELS = "/api/projects/default_project/models";

test.describe("a full disk", () => {
  // Answers of 507 are what is asked for here; the browser prints each.
  test.use({ expectedErrors: [/507/] });

  test("the prompt is not saved and says so; signing in, reading and export work; nothing is half written; with space it goes on without a restart (FS04, FS05, IE08, SR05)", async ({
    browser,
    provider,
    page,
  }) => {
    const base = mkdtempSync(join(tmpdir(), "penguin-small-"));
    const disk = SmallDisk.mount(base, "4m");
    test.skip(!disk, "a small disk cannot be mounted here");
    if (!disk) return;
    const server = await TestServer.start({}, base);
    const pages: Page[] = [];
    try {
      const open = async () => {
        const opened = await browser.newPage({ baseURL: server.url });
        pages.push(opened);
        return opened;
      };
      const app = await open();
      await signIn(app);
      const api = app.request;
      const table = {
        models: [{ provider: "fake", model_id: "fake", base_url: provider.url, api_key: "sk-test-key-000000" }],
        default_model: { provider: "fake", model_id: "fake" },
      };
      expect((await api.put(MODELS, { data: table })).status()).toBe(200);
      provider.script([{ text: "First answer." }]);
      const session = await startConversation(app, "first question");
      await expect(transcript(app)).toContainText("First answer.");
      await idle(app);
      const file = traceFiles(server.root, session)[0] ?? "";
      const saved = readFileSync(file);
      const asked = provider.requests.length;
      disk.fill();

      await messageBox(app).fill(LONG);
      await messageBox(app).press("Enter");
      await expect(app.getByText(/^Not saved/)).toBeVisible();
      await expect(messageBox(app)).toHaveValue(LONG);
      expect(provider.requests.length).toBe(asked);
      // Somebody else signs in, reads and exports.
      const other = await open();
      await signIn(other);
      await other.goto(app.url());
      await expect(transcript(other)).toContainText("First answer.");
      const exported = await (await other.request.get(`${AGENT}/traces/${session}/1/raw`)).body();
      expect(exported.subarray(0, saved.length).equals(saved)).toBe(true);
      // What cannot be written leaves the old file as it was, and nothing new.
      const refused = await api.put(MODELS, { data: { ...table, default_model: null } });
      expect([refused.status(), (await refused.json()).error.code]).toEqual([507, "disk_full"]);
      expect(await (await api.get(MODELS)).json()).toMatchObject({ default_model: { model_id: "fake" } });
      const trace = `${saved.toString().trimEnd().replaceAll(session, "imported-1")}\n`;
      const imported = await api.post(`${AGENT}/traces`, {
        data: `${trace}${trace.split("\n")[2]?.padEnd(300_000)}\n`,
        headers: { "content-type": "application/x-ndjson" },
      });
      expect([imported.status(), (await imported.json()).error.code]).toEqual([507, "disk_full"]);
      expect(traceFiles(server.root, "imported-1")).toEqual([]);

      disk.free();
      provider.script([{ text: "Second answer." }]);
      await messageBox(app).fill("second question");
      await messageBox(app).press("Enter");
      await expect(transcript(app)).toContainText("Second answer.");
      await expect(app.getByText(/^Not saved/)).toHaveCount(0);
      await idle(app);
      await expect(transcript(other)).toContainText("Second answer.");
      expect(provider.violations).toEqual([]);
      const raw = readFileSync(file, "utf8");
      expect(sha256(readFileSync(file).subarray(0, saved.length))).toBe(sha256(saved));
      // At most the cut record is lost, and no other is fused with it.
      const broken = raw.split("\n").filter((line) => line !== "" && !parses(line));
      expect(broken.length).toBeLessThanOrEqual(1);
      for (const line of broken) expect(line.match(/\{"timestamp"/g)).toHaveLength(1);
      // The sign-in made on the full disk lives on, also on disk.
      await send(other, "third question");
      await idle(other);
    } finally {
      await Promise.all(pages.map((opened) => opened.close()));
      await server.remove().catch(() => {});
      disk.unmount();
      rmSync(base, { recursive: true, force: true });
    }
    expect(page.url()).toBe("about:blank");
  });
});

function parses(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
