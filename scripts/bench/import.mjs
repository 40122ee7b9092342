/**
 * `npm run bench -- import`: a file of 420 MB is imported while another person chats: memory of the server, and how late
 * the deltas are, beside the same chat with nothing else going on. A file refused at its end leaves nothing.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { AGENT, newSession, pause, percentile, setUp, worst } from "./chat/setup.mjs";

const MEGABYTES = 420;
const MORE_MB = 100;
const LATE_MS = 100;
const PER_SECOND = 100;
const SECONDS = 10;

/** Records of about so many bytes; `tail` names the Session of a last line that does not belong here. */
function writeImport(path, session, { each, tail, megabytes = MEGABYTES }) {
  const at = new Date(Date.UTC(2026, 0, 1)).toISOString();
  const line = (type, payload) => `${JSON.stringify({ timestamp: at, type, payload })}\n`;
  const fd = openSync(path, "w");
  let written = writeSync(fd, line("session_meta", { session_id: session, provider: "p", model_id: "m" }));
  const words = "Words of an answer, “quoted”, with a few more words.\n";
  const answer = line("model_msg", { type: "text", role: "assistant", text: words.repeat(each / words.length) });
  for (let n = 0; written < megabytes * 1e6; n++) {
    const turn = [
      line("model_msg", { type: "text", role: "user", text: `question ${n}` }),
      line("event_msg", { type: "request_begin" }),
      answer,
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

/** How late the deltas of an answer came, ms. */
async function chat(bench, prompt, cookie) {
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

/** One import while somebody chats; `alone` is the same chat without it. */
async function beside(bench, { name, path, alone, cookie }) {
  const { server, report } = bench;
  const before = rss(server.pid);
  const url = `${server.url}${AGENT}/traces`;
  const run = () => Promise.all([chat(bench, `Chat beside ${name}.`, cookie), upload(url, path, cookie)]);
  const { peak, result } = await peakOf(server.pid, run);
  const [chatted, stored] = result;
  report(`import of ${MEGABYTES} MB, ${name}, beside a chat`, `status ${stored.status}`, stored.status === 201);
  const more = peak - before;
  report("  more memory", `${more.toFixed(0)} MB, ${before.toFixed(0)} MB before (<= ${MORE_MB} MB)`, more <= MORE_MB);
  const both = (key) => `${chatted[key].toFixed(0)} and ${alone[key].toFixed(0)} ms`;
  report(
    "  a delta is late, with it and alone",
    `longest ${both("worst")}, p99 ${both("p99")} (<= ${LATE_MS} ms more)`,
    chatted.worst - alone.worst <= LATE_MS,
  );
  report("  deltas that came", `${chatted.count} of ${PER_SECOND * SECONDS}`, chatted.count === PER_SECOND * SECONDS);
}

export async function importBench(scratch, report) {
  const bench = await setUp(scratch, { report });
  try {
    const { server, context } = bench;
    const cookies = await context.cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const url = `${server.url}${AGENT}/traces`;
    const file = (name, shape) => {
      const path = join(scratch, `${name}.jsonl`);
      writeImport(path, `import-${name}`, shape);
      return path;
    };
    // The first import and the first chat load code.
    await upload(url, file("warm", { each: 16_000, megabytes: 2 }), cookie);
    await upload(url, file("warm-large", { each: 10_000_000, megabytes: 20 }), cookie);
    await chat(bench, "Warm up.", cookie);
    const alone = await chat(bench, "Chat alone.", cookie);
    const shapes = [
      ["records of 16 KB", { each: 16_000 }],
      ["records of 10 MB", { each: 10_000_000 }],
    ];
    for (const [name, shape] of shapes) {
      const path = file(`good-${shape.each}`, shape);
      await pause(1_000);
      await beside(bench, { name, path, alone, cookie });
      rmSync(path);
    }
    const agent = join(server.root, "default_project", "agents", "default_agent", "traces");
    const files = filesBelow(agent).sort().join("\n");
    const refused = await upload(url, file("wrong", { each: 16_000, tail: "another-session" }), cookie);
    report("a file refused at its last line", `status ${refused.status}`, refused.status === 422);
    const same = filesBelow(agent).sort().join("\n") === files;
    report("  leaves a file", same ? "no" : "yes", same);
  } finally {
    await bench.tearDown();
  }
}
