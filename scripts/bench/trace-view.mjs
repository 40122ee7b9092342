/**
 * `npm run bench -- view`: a Trace of 200 MB in Chromium against the built server: first rows, scrolling, search, memory
 * of the tab. Beside it a Trace of a few lines, opened the same way. `-- view --profile FOLDER` writes what the browser did
 * while scrolling, for the browser's tools.
 */
import { readFileSync } from "node:fs";
import { pause, profileIn, reportOwnWork, setUp, startProfile, WATCH, worst } from "./chat/setup.mjs";

const PAINT_MS = 2_000;
const HIT_MS = 1_000;
const TAB_MB = 300;
const at = (session, more = "") => `/p/default_project/traces/default_agent/${session}/1?view=events${more}`;

/** So far down in each frame, and for so long: as somebody who drags the bar, who also goes far now and then; who reads. */
const DRAGGED = { ms: 10_000, by: 300, far: true };
const READ = { ms: 5_000, by: 50, far: false };

/** In the page. */
const SCROLL = ({ ms, by, far }) =>
  new Promise((resolve) => {
    const box = document.querySelector("[data-reading]");
    const began = performance.now();
    let frame = 0;
    const step = (now) => {
      frame += 1;
      if (far && frame % 120 === 0) box.scrollTop = (box.scrollHeight * ((frame / 120) % 10)) / 10;
      else box.scrollTop += by;
      if (now - began < ms) requestAnimationFrame(step);
      else resolve(frame);
    };
    requestAnimationFrame(step);
  });

async function scrolled(page, how) {
  await page.evaluate(WATCH);
  const frames = await page.evaluate(SCROLL, how);
  const { tasks } = await page.evaluate(() => window.bench);
  return { frames, tasks };
}

/** What the browser and the machine take for as many lines without any code. */
async function plainList(context) {
  const page = await context.newPage();
  const lines = Array.from({ length: 20_000 }, (_, i) => `<p style="height:37px;margin:0">Line ${i}</p>`);
  await page.setContent(`<div data-reading style="height:700px;overflow:auto">${lines.join("")}</div>`);
  await pause(1_000);
  const result = await scrolled(page, DRAGGED);
  await page.close();
  return result;
}

/** In the page, from its beginning: `rowsAt`, when the first frame with such a row and its summary was made. */
const LOOK_FOR_ROWS = (rows) => {
  const isShown = (row) => row.querySelector("time") && row.checkVisibility();
  const look = (now) => {
    if ([...document.querySelectorAll(rows)].some(isShown)) window.rowsAt = now;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};

/** Milliseconds from the navigation to the first row with its summary; to that of a line, when one is linked. */
async function open(context, session, line) {
  const page = await context.newPage();
  await page.addInitScript(LOOK_FOR_ROWS, line ? `[data-row="1:${line}"]` : "[data-row]");
  await page.goto(at(session, line ? `&line=${line}` : ""), { waitUntil: "commit" });
  const shown = await page.waitForFunction(() => window.rowsAt, undefined, { timeout: 60_000 });
  return { page, ms: await shown.jsonValue() };
}

/** Megabytes of the process of a page: its own and its share of what it has in common with others. */
async function memoryOf(browser) {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => {
      const pss = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"));
      return Number(pss?.[1] ?? 0) / 1024;
    });
  await cdp.detach();
  return worst(sizes);
}

async function heapOf(context, page) {
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  const { metrics } = await cdp.send("Performance.getMetrics");
  await cdp.detach();
  return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 1e6;
}

/** Milliseconds from the last key to the first hit in view. */
async function search(page, text) {
  const box = page.getByRole("searchbox", { name: "Search in this Trace" });
  await box.fill(text);
  const began = Date.now();
  await page.locator("[data-row] mark").first().waitFor({ timeout: 60_000 });
  return Date.now() - began;
}

/** Milliseconds from a key to the row that has the focus then. */
async function press(page, key, line) {
  const began = Date.now();
  await page.keyboard.press(key);
  await page.waitForFunction((row) => document.activeElement?.dataset.row === row, `1:${line}`, { polling: "raf" });
  return Date.now() - began;
}

/** The ways to a record that is far away: keys, the next of many hits, a link. */
async function ways({ context, report }, page, { large, lines }) {
  const box = page.getByRole("searchbox", { name: "Search in this Trace" });
  await box.fill("prompt");
  await page
    .getByRole("status")
    .filter({ hasText: /^1 of \d+\+?$/ })
    .waitFor();
  const began = Date.now();
  await box.press("Shift+Enter");
  const shown = (from) =>
    [...document.querySelectorAll("[data-row]:has(mark)")].some(({ dataset }) => dataset.row.split(":")[1] > from);
  await page.waitForFunction(shown, lines - 100, { polling: "raf" });
  const last = Date.now() - began;
  await box.press("Escape");
  await page.locator("[data-row]").first().focus();
  const [end, home] = [await press(page, "End", lines), await press(page, "Home", 1)];
  const { page: linked, ms } = await open(context, large, Math.floor(lines / 2));
  await linked.close();
  const value = `End ${end} ms, Home ${home} ms, last hit ${last} ms, a link ${ms.toFixed(0)} ms`;
  report("  to a record far away", value, Math.max(end, home, last) <= HIT_MS && ms <= PAINT_MS);
}

/** `made`: Session ids of the large and of the small Trace, and what only the last record of the large one says. */
export async function viewBench(scratch, { report, words }, make) {
  const bench = await setUp(scratch, { report, profile: profileIn(words) });
  const { context } = bench;
  try {
    const { large, small, bytes, records, needle } = make(bench.server.root);
    // The page's own code is loaded and warm before the large one is opened for the first time.
    await (await open(context, small)).page.close();
    const floor = await open(context, small);
    await floor.page.close();
    const first = await open(context, large);
    const name = `Trace of ${(bytes / 1e6).toFixed(0)} MB, ${records} records: first rows`;
    const value = `${first.ms.toFixed(0)} ms, of a few lines ${floor.ms.toFixed(0)} ms (<= ${PAINT_MS} ms)`;
    report(name, value, first.ms <= PAINT_MS);
    const { page } = first;
    await page.bringToFront();
    await pause(1_000);
    const plain = await plainList(context);
    await page.bringToFront();
    const stop = await startProfile(page, bench.profile, "scrolling");
    const rows = await scrolled(page, DRAGGED);
    const own = await stop();
    await pause(1_000);
    const read = await scrolled(page, READ);
    report("  scrolling, 10 s", `${rows.frames} frames, a plain list ${plain.frames}`, true);
    const tasks = ({ tasks }) => `${worst(tasks).toFixed(0)} ms, ${tasks.length} above 50 ms`;
    report("  longest task", `${tasks(rows)}; plain list ${tasks(plain)} (none above 50 ms)`, rows.tasks.length === 0);
    reportOwnWork(report, own);
    report("  at the pace of somebody who reads, 5 s", `${tasks(read)} (none above 50 ms)`, read.tasks.length === 0);
    const hit = await search(page, needle);
    report("  a hit in the last record is shown", `${hit} ms (<= ${HIT_MS} ms)`, hit <= HIT_MS);
    const [tab, heap] = [await memoryOf(context.browser()), await heapOf(context, page)];
    report(
      "  memory of the tab",
      `${tab.toFixed(0)} MB, of it heap ${heap.toFixed(0)} MB (<= ${TAB_MB} MB)`,
      tab <= TAB_MB,
    );
    // The needle stands behind the records that were made.
    await ways(bench, page, { large, lines: records + 1 });
  } finally {
    await bench.tearDown();
  }
}
