/**
 * `npm run bench -- import`: a file of 420 MB is imported while another person chats: memory of the server, and how late
 * the deltas are, beside the same chat with nothing else going on. A file refused at its end leaves nothing.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { AGENT, newSession, pause, percentile, setUp, worst } from "./chat/setup.mjs";

const MEGABYTES = 420;
const MORE_MB = 100;
const LATE_MS = 100;
const PER_SECOND = 100;
const SECONDS = 10;

/** Many ordinary records; `tail` is the last line. */
function writeImport(path, session, tail) {
  const at = new Date(Date.UTC(2026, 0, 1)).toISOString();
  const line = (type, payload) => `${JSON.stringify({ timestamp: at, type, payload })}\n`;
  const fd = openSync(path, "w");
  let written = writeSync(fd, line("session_meta", { session_id: session, provider: "p", model_id: "m" }));
  const text = "Words of an answer, “quoted”, with a few more words.\n".repeat(300);
  for (let n = 0; written < MEGABYTES * 1e6; n++) {
    const turn = [
      line("model_msg", { type: "text", role: "user", text: `question ${n}` }),
      line("event_msg", { type: "request_begin" }),
      ...[1, 2, 3].map(() => line("model_msg", { type: "text", role: "assistant", text })),
      line("event_msg", { type: "request_end", status: "completed" }),
    ];
    written += writeSync(fd, turn.join(""));
  }
  if (tail) writeSync(fd, line("session_meta", { session_id: tail }));
  closeSync(fd);
}

/** Uploads in a process of its own: whoever measures must not be busy. */
const UPLOAD = `
const { createReadStream, statSync } = require("node:fs");
const { request } = require("node:http");
const [url, path, cookie] = process.argv.slice(1);
const headers = { "content-type": "application/x-ndjson", "content-length": statSync(path).size, cookie };
const sent = request(url, { method: "POST", headers }, (answer) => {
  let body = "";
  answer.on("data", (chunk) => { body += chunk; });
  answer.on("end", () => { console.log(JSON.stringify({ status: answer.statusCode, body })); process.exit(0); });
});
sent.on("error", (error) => { console.log(JSON.stringify({ status: 0, body: error.message })); process.exit(0); });
createReadStream(path, { highWaterMark: 1 << 20 }).pipe(sent);
`;

async function upload(url, path, cookie) {
  const child = spawn(process.execPath, ["-e", UPLOAD, url, path, cookie], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  await once(child, "exit");
  return JSON.parse(out);
}

/** How late each delta of an answer came, ms; runs until `enough` resolves and the answer is through. */
async function chat(bench, prompt, { cookie }) {
  const count = PER_SECOND * SECONDS;
  const pieces = Array.from({ length: count }, (_, i) => `<${i}> some words `);
  bench.provider.answers.set(prompt, { pieces, perSecond: PER_SECOND });
  const session = await newSession(bench);
  const came = [];
  const stream = get(`${bench.server.url}${session.events}`, { headers: { cookie } }, (answer) => {
    let rest = "";
    answer.setEncoding("utf8");
    answer.on("data", (chunk) => {
      const now = Date.now();
      rest += chunk;
      for (const [, number] of rest.matchAll(/<(\d+)>/g)) came[Number(number)] ??= now;
      rest = rest.slice(rest.lastIndexOf("<") === -1 ? rest.length : rest.lastIndexOf("<"));
    });
  });
  stream.on("error", () => {});
  await pause(300);
  await session.say(prompt);
  await session.idle();
  stream.destroy();
  const late = bench.provider.times.map((time, i) => (came[i] ?? Number.POSITIVE_INFINITY) - time);
  return { worst: worst(late), p99: percentile(late, 0.99), count: came.filter(Boolean).length };
}

const rss = (pid) => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

/** Highest memory of a process while `run` runs, megabytes. */
async function peakOf(pid, run) {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, rss(pid));
  }, 25);
  const result = await run();
  clearInterval(timer);
  return { peak, result };
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

export async function importBench(scratch, report) {
  const bench = await setUp(scratch, { report });
  try {
    const { server, context } = bench;
    const cookies = await context.cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const url = `${server.url}${AGENT}/traces`;
    const [good, wrong] = [join(scratch, "good.jsonl"), join(scratch, "wrong.jsonl")];
    writeImport(good, "import-good");
    writeImport(wrong, "import-wrong", "another-session");
    const warm = join(scratch, "warm.jsonl");
    const fd = openSync(warm, "w");
    writeSync(
      fd,
      readFileSync(good)
        .subarray(0, 2_000_000)
        .toString("latin1")
        .replace("import-good", "import-warm")
        .replace(/[^\n]*$/, ""),
      null,
      "latin1",
    );
    closeSync(fd);

    // The first import and the first chat load code.
    await upload(url, warm, cookie);
    const alone = await chat(bench, "Chat alone.", { cookie });
    await pause(1_000);
    const before = rss(server.pid);
    const run = () => Promise.all([chat(bench, "Chat beside an import.", { cookie }), upload(url, good, cookie)]);
    const { peak, result } = await peakOf(server.pid, run);
    const [beside, stored] = result;
    report(`import of ${MEGABYTES} MB beside a chat`, `status ${stored.status}`, stored.status === 201);
    const more = peak - before;
    report(
      "  more memory",
      `${more.toFixed(0)} MB, ${before.toFixed(0)} MB before (<= ${MORE_MB} MB)`,
      more <= MORE_MB,
    );
    const late = beside.worst - alone.worst;
    report(
      "  deltas later than without it",
      `longest ${beside.worst.toFixed(0)} ms, alone ${alone.worst.toFixed(0)} ms; p99 ${beside.p99.toFixed(0)} and ${alone.p99.toFixed(0)} ms (<= ${LATE_MS} ms more)`,
      late <= LATE_MS,
    );
    report("  deltas that came", `${beside.count} of ${PER_SECOND * SECONDS}`, beside.count === PER_SECOND * SECONDS);

    const agent = join(server.root, "default_project", "agents", "default_agent", "traces");
    const files = filesBelow(agent).sort().join("\n");
    const refused = await upload(url, wrong, cookie);
    report("  refused at its end", `status ${refused.status}`, refused.status === 422);
    const left = filesBelow(agent).sort().join("\n") === files;
    report("  leaves a file", left ? "no" : "yes", left);
  } finally {
    await bench.tearDown();
  }
}
