/** Eight windows of one browser on one conversation: what is streamed shows in all of them. */
import { messageBox, newSession, pause, percentile, worst } from "./setup.mjs";

const WINDOWS = 8;
const WARM_TASKS = 5;
const MARKS = 20;
const SETTLED_MS = 2_000;
const LATE_MS = 2_000;

/** In the page: when each mark came into it, wall-clock milliseconds. */
const WATCH_MARKS = (count) => {
  const seen = [];
  window.marks = seen;
  const look = () => {
    const text = document.querySelector("[role=log]")?.textContent ?? "";
    while (seen.length < count && text.includes(`mark-${seen.length};`)) seen.push(Date.now());
    if (seen.length === count) clearInterval(timer);
  };
  // Not by frames: a window that others cover may get none.
  const timer = setInterval(look, 50);
};

export async function windows(bench) {
  const { context, provider, report } = bench;
  const pieces = Array.from({ length: MARKS * 10 }, (_, i) => (i % 10 === 0 ? `mark-${i / 10}; ` : "some words "));
  provider.answers.set("Eight windows.", { pieces, perSecond: 40 });
  provider.answers.set("Warm up.", { pieces: ["Some ", "words."], perSecond: 20 });
  // As in a server that has been in use: its code is compiled before anything is measured.
  for (let i = 0; i < WARM_TASKS; i++) {
    const warm = await newSession(bench);
    await warm.say("Warm up.");
    await warm.idle();
  }
  const session = await newSession(bench);
  const pages = [];
  for (let i = 0; i < WINDOWS; i++) {
    const page = await context.newPage();
    pages.push(page);
    await page.goto(session.page);
    await messageBox(page).waitFor();
  }
  // What a page loads behind its first view is there.
  await pause(SETTLED_MS);
  await Promise.all(pages.map((page) => page.evaluate(WATCH_MARKS, MARKS)));
  await session.say("Eight windows.");
  await session.idle();
  for (let tries = 0; tries < 50; tries++) {
    const counts = await Promise.all(pages.map((page) => page.evaluate(() => window.marks.length)));
    if (counts.every((count) => count === MARKS)) break;
    await pause(100);
  }
  const seen = await Promise.all(pages.map((page) => page.evaluate(() => window.marks)));
  const late = Array.from({ length: MARKS }, (_, mark) =>
    Math.max(...seen.map((times) => (times[mark] ?? Number.POSITIVE_INFINITY) - provider.times[mark * 10])),
  );
  report(
    `${WINDOWS} windows: a delta shows in all of them`,
    `p50 ${percentile(late, 0.5).toFixed(0)} ms, longest ${worst(late).toFixed(0)} ms (<= ${LATE_MS} ms)`,
    worst(late) <= LATE_MS,
  );
  await Promise.all(pages.map((page) => page.close()));
}
