/**
 * `npm run bench -- chat`: what the conversation page costs the browser. A long answer while somebody types, a
 * conversation of 2,000 turns, and the JavaScript of the first view; in Chromium, against the built server.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createProbe } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { ensureBuilt, ensureChromium, projectDir } from "../setup.mjs";

const PASSWORD = "correct horse battery";
const AGENT = "/api/projects/default_project/agents/default_agent";
const DELTAS = 2_000;
const PER_SECOND = 200;
const TURNS = 2_000;
const JS_KB = 350;

/** 100 characters per delta: paragraphs, a list, a table, code. */
function deltas() {
  const paragraph = `${"Words of an answer with `code`, **weight** and a [link](https://example.com). ".repeat(6)}\n\n`;
  const list = "- one thing to do\n- another thing, with `names`\n\n".repeat(4);
  const table = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n";
  const code = `\`\`\`ts\n${"const value = compute(1, 2); // a line of code\n".repeat(24)}\`\`\`\n\n`;
  const text = `## Part\n\n${paragraph.repeat(3)}${list}${table}${code}`.repeat(200).slice(0, DELTAS * 100);
  return Array.from({ length: DELTAS }, (_, i) => text.slice(i * 100, (i + 1) * 100));
}

/** An OpenAI-compatible provider that streams at a steady pace; `sent` counts. */
async function provider() {
  const state = { sent: 0 };
  const server = createServer(async (request, response) => {
    request.resume();
    await once(request, "end");
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta, finish_reason = null) =>
      response.write(`data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    const pieces = deltas();
    const began = Date.now();
    while (state.sent < pieces.length && !response.destroyed) {
      const due = Math.min(pieces.length, Math.floor(((Date.now() - began) / 1_000) * PER_SECOND));
      for (; state.sent < due; state.sent += 1) send({ content: pieces[state.sent] });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    send({}, "stop");
    response.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { state, url: `http://127.0.0.1:${server.address().port}/v1`, stop: () => server.close() };
}

async function freePort() {
  const probe = createProbe();
  await new Promise((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function startServer(root) {
  const port = await freePort();
  const child = spawn(process.execPath, ["scripts/start.mjs", "--port", String(port)], {
    cwd: projectDir,
    env: { ...process.env, PENGUIN_HOME: root, PENGUIN_ADMIN_PASSWORD: PASSWORD, PENGUIN_AUTO_TITLE: "0" },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error("the server ended");
    if (
      await fetch(`${url}/api/health`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { url, child };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the server did not come up");
}

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

/** In the page: long tasks and the time of key events from now on. */
const WATCH = () => {
  window.bench = { tasks: [], keys: [] };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.bench.tasks.push(duration);
  }).observe({ type: "longtask" });
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name.startsWith("key")) window.bench.keys.push(duration);
  }).observe({ type: "event", durationThreshold: 16 });
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
      box.scrollTop -= 60;
      box.dispatchEvent(new WheelEvent("wheel", { deltaY: -60 }));
      if (now - began < ms) requestAnimationFrame(step);
      else resolve(frames.slice(2));
    };
    requestAnimationFrame(step);
  });

const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const worst = (values) => Math.max(0, ...values);

async function taskSeconds(cdp) {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

/** JavaScript that the first HTML names, and what came after it, gzipped. */
async function javascript(context, address, report) {
  const page = await context.newPage();
  const bodies = [];
  let html = "";
  page.on("response", (response) => {
    const type = response.request().resourceType();
    if (type === "document") bodies.push(response.text().then((text) => (html += text)));
    if (type === "script") bodies.push(response.body().then((body) => [new URL(response.url()).pathname, body]));
  });
  await page.goto(address);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  // Markdown is fetched once the page stands.
  await page.waitForTimeout(3_000);
  const scripts = new Map((await Promise.all(bodies)).filter(Array.isArray));
  const size = (named) =>
    [...scripts]
      .filter(([path]) => html.includes(path.split("/").at(-1)) === named)
      .reduce((sum, [, body]) => sum + gzipSync(body).length, 0) / 1024;
  const first = size(true);
  report("JavaScript of the first view, gzipped", `${first.toFixed(0)} KB (<= ${JS_KB} KB)`, first <= JS_KB);
  report("  loaded after it", `${size(false).toFixed(0)} KB`, true);
  await page.close();
}

async function streaming(context, { project, model, report }) {
  const page = await context.newPage();
  const made = await (
    await context.request.post(`${AGENT}/sessions`, { data: { model: { provider: "fake", model_id: "fake" } } })
  ).json();
  await page.goto(`/p/${project}/a/default_agent/s/${made.session.id}`);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  const input = [{ type: "text", text: "Write much." }];
  await context.request.post(`${AGENT}/sessions/${made.session.id}/tasks`, { data: { input } });
  const reach = async (count) => {
    while (model.state.sent < count) await new Promise((resolve) => setTimeout(resolve, 10));
    return { at: await taskSeconds(cdp), sent: model.state.sent };
  };
  // The parser of Markdown arrives with the first words.
  const one = await reach(DELTAS * 0.05);
  await page.evaluate(WATCH);
  const two = await reach(DELTAS * 0.15);
  const box = page.getByRole("textbox", { name: "Message" });
  await box.focus();
  const typing = (async () => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("abcdefghij"[i % 10]);
      await new Promise((resolve) => setTimeout(resolve, 90));
    }
  })();
  const three = await reach(DELTAS * 0.9);
  await typing;
  const four = await reach(DELTAS);
  const per = (a, b) => ((b.at - a.at) * 1_000) / (b.sent - a.sent);
  const [begin, end] = [per(one, two), per(three, four)];
  const ratio = end / begin;
  const seen = await page.evaluate(() => window.bench);
  report(
    "200 KB answer: main thread per delta",
    `${begin.toFixed(2)} ms early, ${end.toFixed(2)} ms late: ${ratio.toFixed(2)}x (<= 1.5x)`,
    ratio <= 1.5,
  );
  report(
    "  longest task",
    `${worst(seen.tasks).toFixed(0)} ms, ${seen.tasks.length} above 50 ms`,
    seen.tasks.length === 0,
  );
  const p95 = percentile(seen.keys, 0.95);
  report("  a key", `p95 ${p95.toFixed(0)} ms, longest ${worst(seen.keys).toFixed(0)} ms (<= 50 ms)`, p95 <= 50);
  const address = `${AGENT}/sessions/${made.session.id}`;
  for (let tries = 0; tries < 300; tries++) {
    if ((await (await context.request.get(address)).json()).status === "idle") break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await page.close();
}

async function longConversation(context, { project, report }) {
  const session = "session-2026-01-01-00-00-00-0a1b2c3d";
  const headers = { "content-type": "application/x-ndjson" };
  const sent = await context.request.post(`${AGENT}/traces`, { headers, data: longTrace(session) });
  if (sent.status() !== 201) throw new Error(`import: ${sent.status()} ${await sent.text()}`);
  const page = await context.newPage();
  const address = `/p/${project}/a/default_agent/s/${session}`;
  let opened = 0;
  // The first time fills the caches of both sides.
  for (let round = 0; round < 3; round++) {
    await page.goto(address, { waitUntil: "commit" });
    opened = await page
      .waitForFunction(
        (text) => document.querySelector("[role=log]")?.textContent.includes(text) && performance.now(),
        `Answer ${TURNS}.`,
        { polling: "raf" },
      )
      .then((handle) => handle.jsonValue());
  }
  report(`${TURNS} turns: open at the end`, `${opened.toFixed(0)} ms (<= 1000 ms)`, opened <= 1_000);
  await page.waitForTimeout(2_000);
  await page.evaluate(WATCH);
  await page.evaluate(() =>
    document.querySelector("[role=log]").closest("[tabindex='0']").setAttribute("data-bench", ""),
  );
  const frames = await page.evaluate(SCROLL, { selector: "[data-bench]", ms: 12_000 });
  const seen = await page.evaluate(() => window.bench);
  const turns = await page.evaluate(() => document.querySelectorAll("[data-task]").length);
  const plain = await context.newPage();
  await plain.setContent(
    `<div id="box" style="height:800px;overflow:auto">${Array.from({ length: TURNS }, (_, i) => `<p>Line ${i} ${"words ".repeat(60)}</p>`).join("")}</div>`,
  );
  await plain.evaluate(() => {
    const box = document.querySelector("#box");
    box.scrollTop = box.scrollHeight;
  });
  const floor = await plain.evaluate(SCROLL, { selector: "#box", ms: 5_000 });
  const [ours, theirs] = [percentile(frames, 0.95), percentile(floor, 0.95)];
  report(
    `  scrolling up through ${turns} turns`,
    `p95 frame ${ours.toFixed(1)} ms, plain list ${theirs.toFixed(1)} ms: ${(ours / theirs).toFixed(2)}x (<= 2x)`,
    ours <= 2 * theirs,
  );
  report(
    "  longest task",
    `${worst(seen.tasks).toFixed(0)} ms, ${seen.tasks.length} above 50 ms`,
    seen.tasks.length === 0,
  );
  await plain.close();
  await page.close();
}

/** `scratch`: a folder for the data root. */
export async function chatBench(scratch, report) {
  ensureBuilt();
  const model = await provider();
  const { url, child } = await startServer(join(scratch, "data"));
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--disable-gpu"] });
  try {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
    const { csrfToken } = await (await context.request.get("/api/auth/csrf")).json();
    const form = { user: "admin", password: PASSWORD, csrfToken, json: "true" };
    await context.request.post("/api/auth/callback/credentials", { form });
    const models = [{ provider: "fake", model_id: "fake", base_url: model.url, api_key: "sk-bench-000000" }];
    await context.request.put("/api/projects/default_project/models", {
      data: { models, default_model: { provider: "fake", model_id: "fake" } },
    });
    const project = "default_project";
    const first = await (await context.request.post(`${AGENT}/sessions`, { data: {} })).json();
    await javascript(context, `/p/${project}/a/default_agent/s/${first.session.id}`, report);
    await streaming(context, { project, model, report });
    await longConversation(context, { project, report });
  } finally {
    await browser.close();
    child.kill("SIGTERM");
    model.stop();
  }
}
