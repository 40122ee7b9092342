/** The built server, a provider that streams at a steady pace, and a signed-in browser. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createProbe } from "node:net";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { ensureBuilt, ensureChromium, projectDir } from "../../setup.mjs";

const PASSWORD = "correct horse battery";
export const AGENT = "/api/projects/default_project/agents/default_agent";
export const PROJECT = "/p/default_project/a/default_agent";

export const messageBox = (page) => page.getByRole("textbox", { name: "Message" });
/** What a profile holds: tasks, what the page did in them, and samples of the code that ran. */
const TRACED = [
  "toplevel",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-v8.cpu_profiler",
];

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const worst = (values) => Math.max(0, ...values);
export const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/**
 * An OpenAI-compatible provider. A prompt is answered with the pieces that were given for it in `answers`, so many per
 * second; `sent` counts those of the newest answer, `times` says when each left.
 */
async function fakeProvider() {
  const state = { sent: 0, times: [], answers: new Map() };
  const server = createServer(async (request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    await once(request, "end");
    const { messages } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const prompt = [...state.answers.keys()].find((key) => JSON.stringify(messages.at(-1)).includes(key)) ?? "";
    const { pieces, perSecond } = state.answers.get(prompt) ?? { pieces: ["Yes."], perSecond: 100 };
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta, finish_reason = null) =>
      response.write(`data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    Object.assign(state, { sent: 0, times: [] });
    const began = Date.now();
    while (state.sent < pieces.length && !response.destroyed) {
      const due = Math.min(pieces.length, Math.floor(((Date.now() - began) / 1_000) * perSecond));
      for (; state.sent < due; state.sent += 1) {
        send({ content: pieces[state.sent] });
        state.times.push(Date.now());
      }
      await pause(5);
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
  const healthy = () =>
    fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error("the server ended");
    if (await healthy()) return { url, child };
    await pause(100);
  }
  throw new Error("the server did not come up");
}

/** Everything a part of the bench needs; `tearDown` ends it. */
export async function setUp(scratch, { report, profile }) {
  ensureBuilt();
  const provider = await fakeProvider();
  const { url, child } = await startServer(join(scratch, "data"));
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--disable-gpu"] });
  const tearDown = async () => {
    await browser.close();
    child.kill("SIGTERM");
    provider.stop();
  };
  try {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
    const { csrfToken } = await (await context.request.get("/api/auth/csrf")).json();
    const form = { user: "admin", password: PASSWORD, csrfToken, json: "true" };
    await context.request.post("/api/auth/callback/credentials", { form });
    const models = [{ provider: "fake", model_id: "fake", base_url: provider.url, api_key: "sk-bench-000000" }];
    const data = { models, default_model: { provider: "fake", model_id: "fake" } };
    await context.request.put("/api/projects/default_project/models", { data });
    const server = { url, pid: child.pid, root: join(scratch, "data") };
    return { context, server, provider: provider.state, report, profile, tearDown };
  } catch (error) {
    await tearDown();
    throw error;
  }
}

/** A Session and the way to speak to it over HTTP. */
export async function newSession({ context }) {
  const data = { model: { provider: "fake", model_id: "fake" } };
  const { session } = await (await context.request.post(`${AGENT}/sessions`, { data })).json();
  const address = `${AGENT}/sessions/${session.id}`;
  const idle = async () => {
    for (let tries = 0; tries < 300; tries++) {
      if ((await (await context.request.get(address)).json()).status === "idle") return;
      await pause(100);
    }
  };
  const say = (text) => context.request.post(`${address}/tasks`, { data: { input: [{ type: "text", text }] } });
  return { page: `${PROJECT}/s/${session.id}`, events: `${address}/events`, say, idle };
}

/**
 * In the page: long tasks, and how long each key takes until the frame that shows it is done, from now on, in
 * `window.bench`. The browser's own event timing is of no use here: without a display Chromium says that a frame was
 * shown once the next one comes, so that the more a page rests the longer a key seems to take.
 */
export const WATCH = () => {
  window.bench = { tasks: [], keys: [] };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.bench.tasks.push(duration);
  }).observe({ type: "longtask" });
  const { port1, port2 } = new MessageChannel();
  const pressed = [];
  port1.onmessage = () => {
    for (const at of pressed.splice(0)) window.bench.keys.push(performance.now() - at);
  };
  const onKey = ({ timeStamp }) =>
    requestAnimationFrame(() => {
      pressed.push(timeStamp);
      // Behind layout and paint of this frame.
      port2.postMessage(null);
    });
  window.addEventListener("keydown", onKey, { capture: true });
};

/**
 * Watches the main thread of the page that works most until the answer is called, which gives the longest work of a task
 * in processor time of its own, milliseconds: by the clock a task also lasts while the machine lets the page wait. With a
 * folder given it writes all that the browser does to `name`.json in it instead, and gives undefined.
 */
export async function startProfile(page, folder, name) {
  const browser = page.context().browser();
  const options = folder ? { path: join(folder, `${name}.json`), categories: TRACED } : { categories: ["toplevel"] };
  await browser.startTracing(page, options);
  return async () => {
    const trace = await browser.stopTracing();
    return folder ? undefined : longestOwnWork(JSON.parse(trace.toString("utf8")));
  };
}

function longestOwnWork({ traceEvents }) {
  const threadOf = ({ pid, tid }) => `${pid}:${tid}`;
  const mains = new Map(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map((event) => [threadOf(event), []]),
  );
  for (const event of traceEvents)
    if (event.ph === "X" && /RunTask$/.test(event.name)) mains.get(threadOf(event))?.push((event.tdur ?? 0) / 1_000);
  const sum = (times) => times.reduce((all, ms) => all + ms, 0);
  const [busiest = []] = [...mains.values()].sort((a, b) => sum(b) - sum(a));
  if (sum(busiest) === 0) throw new Error("the browser told of no task");
  return busiest.reduce((longest, ms) => Math.max(longest, ms), 0);
}

/** The folder behind `--profile` in the words of a command. */
export const profileIn = (words) => (words.includes("--profile") ? words[words.indexOf("--profile") + 1] : undefined);

export function reportTasks(report, tasks) {
  const list = tasks.length > 0 ? `, ${tasks.length} above 50 ms` : "";
  report("  longest task", `${tasks.length > 0 ? worst(tasks).toFixed(0) : "<= 50"} ms${list}`, tasks.length === 0);
}

/** `own`: what `startProfile` gave; undefined: a profile was written. */
export function reportOwnWork(report, own) {
  if (own !== undefined)
    report("  longest work of the page's own in a task", `${own.toFixed(0)} ms (<= 50 ms)`, own <= 50);
}
