import { appendFileSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { idle, startConversation, transcript } from "./support/chat";
import { CHILD, PARENT, putRichTrace, putTrace, Script } from "./support/rich-trace";
import { sha256, traceFiles } from "./support/traces";

const at = (session: string, index = 1, query = "") =>
  `/p/default_project/traces/default_agent/${session}/${index}${query}`;
const find = (page: Page) => page.getByRole("searchbox", { name: "Search in this Trace" });
const row = (page: Page, file: number, line: number) => page.locator(`[data-row="${file}:${line}"]`);
const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

test("timeline: cards, lanes, hover and pin, zoom and reset, keys, a table twin (ux 29, 30, 31, 37)", async ({
  app,
  server,
}) => {
  putRichTrace(server.root);
  await app.goto(at(PARENT));
  const task = card(app, "Task 1");
  await expect(task.getByText("5 Requests")).toBeVisible();
  await expect(task.getByRole("button", { name: /Context: 3.7k of 20k tokens/ })).toBeVisible();
  await expect(app.getByText("$0.0", { exact: false }).first()).toBeVisible();

  // Hover a bar: its row lights up; hover the row: its bar lights up; a click pins both.
  await task.getByRole("button", { name: /records of this Task/ }).click();
  const bar = task.locator('[data-kind="waiting"]').first();
  await expect(bar).toHaveAccessibleName("exec_command, Waiting, starts 2.9 s, 4.2 s, allow by admin");
  await bar.hover();
  await expect(app.locator('[data-lit] [data-row="1:6"]')).toBeVisible();
  await row(app, 1, 6).hover();
  await expect(bar).toHaveAttribute("data-lit", "hot");
  await bar.click();
  await app.mouse.move(5, 5);
  await expect(bar).toHaveAttribute("data-lit", "pinned");
  await expect(app.locator('[data-lit="pinned"] [data-row="1:7"]')).toBeVisible();
  await expect(app).toHaveURL(/line=7/);

  // Zoom, and one visible control that undoes it; the wheel scrolls the page all the while.
  await task.getByRole("button", { name: "Zoom in" }).click();
  const reset = task.getByRole("button", { name: "Whole Task" });
  await expect(reset).toBeVisible();
  const scrolled = () => app.locator("[data-reading]").evaluate((element) => element.scrollTop);
  await task.locator("[data-chart]").hover();
  const before = await scrolled();
  await app.mouse.wheel(0, 200);
  await expect.poll(scrolled).not.toBe(before);
  await app.mouse.wheel(0, -2000);
  await expect(reset).toBeVisible();
  await reset.click();
  await expect(reset).toHaveCount(0);

  // The same by keys: one stop, arrows walk the bars, + zooms, 0 resets, Enter pins.
  await task.locator("[data-chart] button[tabindex='0']").first().focus();
  await app.keyboard.press("ArrowDown");
  await expect(task.locator("[data-chart] button:focus")).toHaveAccessibleName(/write_file/);
  await app.keyboard.press("+");
  await expect(reset).toBeVisible();
  await app.keyboard.press("0");
  await expect(reset).toHaveCount(0);

  // Kinds are told apart by words and patterns; failures say reason, attempt and wait.
  for (const word of ["Thinking", "Answer", "Arguments", "Waiting", "Running", "Failed", "Retry wait", "Subagent"])
    await expect(task.getByRole("list", { name: "Legend" }).getByText(word, { exact: true })).toBeVisible();
  await task.getByRole("button", { name: "As a table" }).click();
  await expect(
    task.getByRole("row", { name: /2 s Retries Retry wait timeout, attempt 2, The provider did not answer in time./ }),
  ).toBeVisible();
});

test("records: damage in place, raw JSON equal to the line, search, links, files in one reading (ux 32, 33, 34, 35, 38; SR02, SR13, CP08)", async ({
  app,
  server,
}) => {
  const { first } = putRichTrace(server.root);
  const lines = readFileSync(first, "utf8").split("\n");
  await app.goto(at(PARENT, 1, "?view=events"));
  await app.getByRole("button", { name: "1 damaged line" }).click();
  const damaged = lines.findIndex((line) => line.endsWith('"type":"te')) + 1;
  await expect(row(app, 1, damaged)).toContainText("Damaged line");
  await expect(row(app, 1, damaged + 1)).toBeVisible();

  await find(app).fill("needle-in-output");
  await expect(app.getByText("1 of 1")).toBeVisible();
  const hit = lines.findIndex((line) => line.includes("needle-in-output")) + 1;
  await expect(row(app, 1, hit).getByText("needle-in-output")).toBeVisible();
  await find(app).fill("index");
  await expect(app.getByText(/^1 of [2-9]/)).toBeVisible();
  await find(app).press("Enter");
  await expect(app.getByText(/^2 of/)).toBeVisible();
  await app.getByRole("button", { name: "Previous hit" }).click();
  await expect(app.getByText(/^1 of/)).toBeVisible();
  await find(app).press("Escape");
  await expect(find(app)).toHaveValue("");

  // A link to a record opens at it, with its raw line.
  await app.goto(at(PARENT, 1, `?line=${hit}`));
  await expect(row(app, 1, hit)).toHaveAttribute("aria-expanded", "true");
  await app.getByRole("radio", { name: "Raw JSON" }).click();
  await app.evaluate(() => {
    const store = window as unknown as { copied?: string };
    Object.defineProperty(navigator, "clipboard", {
      value: {
        writeText: async (text: string) => {
          store.copied = text;
        },
      },
    });
  });
  await app.getByRole("button", { name: /Copy raw JSON/ }).click();
  expect(await app.evaluate(() => (window as unknown as { copied?: string }).copied)).toBe(lines[hit - 1]);

  await app.goto(at(PARENT, 1, "?line=99999"));
  await expect(app.getByText("The link leads to line 99999 of file 1, which this Trace does not have.")).toBeVisible();

  // Where the context changed, what the summary was, and the way back to the earlier file.
  await app.goto(at(PARENT, 2, "?view=events"));
  await expect(app.getByRole("heading", { name: "File 002" })).toBeVisible();
  await app.getByRole("button", { name: "Summary that opens this context" }).click();
  await expect(row(app, 2, 2)).toContainText("context_summary");
  await app.getByRole("button", { name: "Earlier file" }).click();
  await expect(row(app, 1, lines.length - 1)).toContainText("Compaction ends");

  // The focus goes along with the keys, and is not lost when the list is scrolled away from it.
  await row(app, 1, lines.length - 1).focus();
  await app.keyboard.press("Home");
  await expect(row(app, 1, 1)).toBeFocused();
  await app.locator("[data-reading]").evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(row(app, 2, 7)).toContainText("Request ends");
  await expect(row(app, 1, 2)).toHaveCount(0);
  await app.keyboard.press("ArrowDown");
  await expect(row(app, 1, 2)).toBeFocused();
  await app.keyboard.press("PageDown");
  await expect(app.locator("[data-row]:focus")).toHaveAttribute("data-row", /^1:[12]\d$/);
  await app.keyboard.press("End");
  await expect(row(app, 2, 7)).toBeFocused();
});

test("the first records can be read before the code of the page is there, and stay as they are when it comes", async ({
  app,
  server,
}) => {
  putRichTrace(server.root);
  let release = () => {};
  const code = new Promise<void>((resolve) => {
    release = resolve;
  });
  await app.route("**/_next/static/**/*.js", async (route) => {
    await code;
    await route.continue();
  });
  await app.goto(at(PARENT, 1, "?view=events"), { waitUntil: "commit" });
  await expect(row(app, 1, 2)).toContainText("Find the slow query");
  await expect(row(app, 1, 2)).toBeVisible();
  const place = await row(app, 1, 2).boundingBox();
  release();
  // A hydration that does not fit is an error in the console.
  await row(app, 1, 2).focus();
  await expect(async () => {
    await app.keyboard.press("Home");
    await expect(row(app, 1, 1)).toBeFocused({ timeout: 200 });
  }).toPass();
  expect(await row(app, 1, 2).boundingBox()).toEqual(place);
  await expect(row(app, 1, 2).locator("time")).toBeVisible();
});

test("what goes by too fast to be read is not asked for; where it comes to rest the records are there", async ({
  app,
  server,
}) => {
  const id = "session-2026-03-02-11-00-00-0a0b0c04";
  const script = new Script().meta(id);
  for (let i = 2; i <= 6_000; i++) script.user(`prompt ${i}`);
  putTrace(server.root, id, 1, script.text());
  await app.goto(at(id, 1, "?view=events"));
  await expect(row(app, 1, 3)).toContainText("prompt 3");
  const asked = new Set<number>();
  app.on("request", (request) => {
    const offset = new URL(request.url()).searchParams.get("offset");
    if (offset !== null) asked.add(Number(offset));
  });
  const last = await app.locator("[data-reading]").evaluate(
    (list) =>
      new Promise<number>((resolve) => {
        const step = (frame: number) => {
          list.scrollTop += 1_500;
          if (frame < 90) requestAnimationFrame(() => step(frame + 1));
          else resolve(list.scrollTop);
        };
        requestAnimationFrame(() => step(0));
      }),
  );
  const line = Math.floor(last / 37) + 8;
  await expect(row(app, 1, line)).toContainText(`prompt ${line}`);
  // 36 windows went by.
  expect(asked.size).toBeLessThan(12);
});

test("parents and children, the conversation and back, a Trace that grows, two widths (ux 27, 36, 50)", async ({
  app,
  server,
}) => {
  putRichTrace(server.root);
  await app.goto(at(PARENT, 1, "?view=events"));
  await find(app).fill(CHILD);
  await app.locator("[data-row]", { hasText: CHILD }).first().click();
  await app.getByRole("link", { name: "Open the subagent's Trace" }).click();
  await expect(app).toHaveURL(new RegExp(CHILD));
  await app.getByRole("link", { name: "its parent's Trace" }).click();
  await expect(app).toHaveURL(new RegExp(`${PARENT}.*q=call_d`));
  await expect(app.getByText(/^1 of 3/)).toBeVisible();

  const session = await startConversation(app, "hello there");
  await idle(app);
  await transcript(app).getByRole("link", { name: "Open in the Trace" }).last().click();
  await expect(app).toHaveURL(/line=\d+/);
  const line = Number(new URL(app.url()).searchParams.get("line"));
  await expect(row(app, 1, line)).toHaveAttribute("aria-expanded", "true");
  await app.getByRole("link", { name: "Show in the conversation" }).first().click();
  await expect(app).toHaveURL(new RegExp(`${session}#record-1-${line}`));
  await expect(app.getByText("hello there").first()).toBeVisible();

  const grows = "session-2026-03-02-10-00-00-0a0b0c03";
  const path = putTrace(
    server.root,
    grows,
    1,
    new Script().meta(grows).user("first").begin().say(100, "one").end().text(),
  );
  await app.setViewportSize({ width: 320, height: 700 });
  await app.goto(at(grows, 1, "?view=events"));
  await expect(row(app, 1, 5)).toBeVisible();
  appendFileSync(path, new Script().user("second question").begin().text());
  await expect(row(app, 1, 6)).toContainText("second question", { timeout: 8000 });
  await app.getByRole("radio", { name: "Timeline" }).click();
  await expect(card(app, "Task 2")).toBeVisible();
  expect(await app.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

// The two wrong files are refused on purpose.
test.describe("import", () => {
  test.use({ expectedErrors: [/422/] });

  test("search over all Traces, hits in place; export, delete, import of a whole Session; wrong files (ux 44, 46; IE02, IE04, IE10)", async ({
    app,
    api,
    server,
  }) => {
    putRichTrace(server.root);
    await app.goto("/p/default_project/traces");
    await app.getByRole("searchbox", { name: "Search in all Traces" }).fill("needle-in-OUTPUT");
    await app.locator("mark", { hasText: "needle-in-output" }).click();
    const record = app.locator("pre", { hasText: "Table orders: needle-in-output" });
    await expect(record).toBeVisible();
    // What was opened stays open while the search is narrowed down; the count is told once the new one is through.
    await app.getByRole("button", { name: "Filters" }).click();
    await app.getByLabel("Tool").fill("exec_command");
    await expect(app.getByText("1 hit in 1 conversation")).toBeVisible();
    await expect(app).toHaveURL(/q=needle-in-OUTPUT.*tool=exec_command/);
    await expect(record).toBeVisible();

    const base = "/api/projects/default_project/agents/default_agent";
    const files = traceFiles(server.root, PARENT);
    const before = files.map((file) => sha256(readFileSync(file)));
    const totals = async () => {
      const { tasks, elapsed_ms } = await (await api.get(`${base}/traces/${PARENT}/analysis`)).json();
      return JSON.stringify({ tasks, elapsed_ms });
    };
    const figures = await totals();
    const conversation = async () =>
      (await (await api.get(`${base}/sessions/${PARENT}/messages?limit=200`)).json()).records;
    const said = await conversation();
    expect(said.length).toBeGreaterThan(3);
    const bundle = await (await api.get(`${base}/traces/${PARENT}/bundle`)).body();
    expect(gunzipSync(bundle).includes(CHILD)).toBe(true);
    // Its children go with it.
    expect((await api.delete(`${base}/sessions/${PARENT}`)).status()).toBe(204);
    expect((await api.get(`${base}/traces/${CHILD}`)).status()).toBe(404);

    await app.goto("/p/default_project/traces");
    await app.getByRole("button", { name: "Import" }).first().click();
    const dialog = app.getByRole("dialog");
    await dialog.locator("input[type=file]").setInputFiles([
      { name: `${PARENT}.tar.gz`, mimeType: "application/gzip", buffer: bundle },
      { name: "half.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from('{"hello":1}\n') },
    ]);
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    // The damaged line of the bundle is shown before anything is stored; the wrong file names line and cause.
    await expect(dialog.getByText(/file 001: not JSON/)).toBeVisible();
    await expect(dialog.getByText(/line 1/i).first()).toBeVisible();
    await expect(dialog.getByText("0 imported, 2 not imported, 0 not sent.")).toBeVisible();
    expect((await api.get(`${base}/traces/${PARENT}`)).status()).toBe(404);
    await dialog.getByRole("button", { name: "Import anyway" }).click();
    await expect(dialog.getByText("2 conversations were imported")).toBeVisible();
    expect(traceFiles(server.root, PARENT).map((file) => sha256(readFileSync(file)))).toEqual(before);
    expect(await totals()).toBe(figures);
    expect(await conversation()).toEqual(said);
  });
});
