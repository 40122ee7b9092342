/** A conversation of 2,000 turns: opening it at its end, and scrolling up through it. */
import { AGENT, PROJECT, pause, percentile, reportTasks, WATCH } from "./setup.mjs";

const TURNS = 2_000;
const OPEN_MS = 1_000;

/** A Trace of many turns, as an imported file. */
function longTrace(session) {
  const at = (i) => new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString();
  const line = (i, type, payload) => JSON.stringify({ timestamp: at(i), type, payload });
  const meta = { session_id: session, provider: "fake", model_id: "fake", workspace: "/nowhere", system_prompt: "" };
  const lines = [line(0, "session_meta", meta)];
  for (let turn = 1; turn <= TURNS; turn++) {
    const answer = `Answer ${turn}. ${"Some words with `code` and **weight**. ".repeat(3 + (turn % 9))}\n\n- a\n- b\n\n${
      turn % 5 === 0 ? "```js\nconst a = 1;\nlet b = a + 1;\n```\n" : ""
    }`;
    lines.push(
      line(turn, "model_msg", { type: "text", role: "user", text: `Question ${turn}?`, author: "admin" }),
      line(turn, "event_msg", { type: "request_begin" }),
      line(turn, "model_msg", { type: "text", role: "assistant", text: answer, stop_reason: "completed" }),
      line(turn, "event_msg", { type: "request_end", status: "completed" }),
    );
  }
  return `${lines.join("\n")}\n`;
}

/** In the page: the time since the navigation once the text is in view. */
const IN_VIEW = (text) => {
  const log = document.querySelector("[role=log]");
  const last = log && [...log.querySelectorAll("p")].findLast((one) => one.textContent.includes(text));
  const { top, bottom } = last?.getBoundingClientRect() ?? { top: 1e9, bottom: 0 };
  return top < innerHeight && bottom > 0 && performance.now();
};

/** In the page: scrolls up for some seconds and gives the length of each frame. */
const SCROLL = ({ selector, ms }) =>
  new Promise((resolve) => {
    const box = document.querySelector(selector);
    const frames = [];
    const began = performance.now();
    let last = began;
    const step = (now) => {
      frames.push(now - last);
      last = now;
      box.dispatchEvent(new WheelEvent("wheel", { deltaY: -60 }));
      box.scrollTop -= 60;
      if (now - began < ms) requestAnimationFrame(step);
      else resolve(frames.slice(2));
    };
    requestAnimationFrame(step);
  });

/** Frames of a list of plain paragraphs that is scrolled the same way. */
async function plainList(context) {
  const page = await context.newPage();
  const lines = Array.from({ length: TURNS }, (_, i) => `<p>Line ${i} ${"words ".repeat(60)}</p>`);
  await page.setContent(`<div id="box" style="height:800px;overflow:auto">${lines.join("")}</div>`);
  await page.evaluate(() => {
    const box = document.querySelector("#box");
    box.scrollTop = box.scrollHeight;
  });
  const frames = await page.evaluate(SCROLL, { selector: "#box", ms: 5_000 });
  await page.close();
  return percentile(frames, 0.95);
}

export async function longConversation({ context, report }) {
  const session = "session-2026-01-01-00-00-00-0a1b2c3d";
  const headers = { "content-type": "application/x-ndjson" };
  const sent = await context.request.post(`${AGENT}/traces`, { headers, data: longTrace(session) });
  if (sent.status() !== 201) throw new Error(`import: ${sent.status()} ${await sent.text()}`);
  const page = await context.newPage();
  let opened = 0;
  // The first time fills the caches of both sides.
  for (let round = 0; round < 3; round++) {
    await page.goto(`${PROJECT}/s/${session}`, { waitUntil: "commit" });
    const shown = await page.waitForFunction(IN_VIEW, `Answer ${TURNS}.`, { polling: "raf" });
    opened = await shown.jsonValue();
  }
  report(`${TURNS} turns: open at the end`, `${opened.toFixed(0)} ms (<= ${OPEN_MS} ms)`, opened <= OPEN_MS);
  await pause(2_000);
  await page.evaluate(WATCH);
  await page.evaluate(() =>
    document.querySelector("[role=log]").closest("[tabindex='0']").setAttribute("data-bench", ""),
  );
  const frames = await page.evaluate(SCROLL, { selector: "[data-bench]", ms: 12_000 });
  const seen = await page.evaluate(() => window.bench);
  const turns = await page.evaluate(() => document.querySelectorAll("[data-task]").length);
  const [ours, theirs] = [percentile(frames, 0.95), await plainList(context)];
  report(
    `  scrolling up through ${turns} turns`,
    `p95 frame ${ours.toFixed(1)} ms, plain list ${theirs.toFixed(1)} ms: ${(ours / theirs).toFixed(2)}x (<= 2x)`,
    ours <= 2 * theirs,
  );
  reportTasks(report, seen.tasks);
  await page.close();
}
