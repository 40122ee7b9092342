/**
 * `npm run fuzz`: malformed requests over all routes and pages of the built server, from a seed; then many clients of
 * the API that go on sending such requests while other people work. No 500, no lost connection, memory flat, and the
 * others hardly notice. `--requests 2000 --seed 1 --clients 100 --rate 2 --seconds 300`.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { prepare, signIn } from "./fuzz/people.mjs";
import { Fuzz, findRoutes } from "./fuzz/requests.mjs";
import { connections, failuresIn, isFault, RAW, rawFaults, send } from "./fuzz/send.mjs";
import { ensureBuilt, ensureInstalled, projectDir, requireNode } from "./setup.mjs";

requireNode();
ensureInstalled();
ensureBuilt();

const number = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const given = {
  requests: number("requests", 2_000),
  seed: number("seed", 1),
  clients: number("clients", 100),
  rate: number("rate", 2),
  seconds: number("seconds", 300),
};
const PASSWORD = "fuzz-admin-password";
/** People who send nothing but what the pages send. */
const OTHERS = 5;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const folder = mkdtempSync(join(tmpdir(), "penguin-fuzz-"));
const memoryFile = join(folder, "memory.json");
const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port: free } = probe.address();
    probe.close(() => resolve(free));
  });
});
const url = `http://127.0.0.1:${port}`;
const server = spawn(
  process.execPath,
  ["--expose-gc", "--import", join(projectDir, "scripts/fuzz/memory.mjs"), "scripts/start.mjs", "--port", String(port)],
  {
    cwd: projectDir,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PENGUIN_HOME: join(folder, "data"),
      PENGUIN_ADMIN_PASSWORD: PASSWORD,
      FUZZ_MEMORY: memoryFile,
    },
  },
);
let output = "";
for (const stream of [server.stdout, server.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
const end = () => {
  server.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
};
process.once("exit", end);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

for (let i = 0; ; i++) {
  if (server.exitCode !== null || i > 300) throw new Error(`the server did not come up:\n${output}`);
  if (
    await fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  )
    break;
  await sleep(100);
}
// The clients stand for other machines: they run behind the server.
setPriority(5);

const admin = await signIn(url, "admin", PASSWORD);
const known = await prepare(url, admin);
const routes = findRoutes();
const people = { ...known, cookies: [...known.cookies, admin] };
let fuzz = new Fuzz(given.seed, routes, people);
const agent = connections(given.clients + 20);
const statuses = new Map();
const faults = [];

/** One malformed request; a fault is kept with all that is needed to send it again. */
async function attack() {
  const what = fuzz.next();
  const answer = await send({ port, agent }, what);
  const { status, text } = answer;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (isFault(what, answer)) {
    const { route, method, path, headers, body } = what;
    const shown = { ...headers, ...(headers.cookie ? { cookie: "…" } : {}) };
    faults.push(
      `${status} ${route}: ${method} ${path.slice(0, 300)} ${JSON.stringify(shown).slice(0, 300)} ${body?.toString("utf8", 0, 300) ?? ""} -> ${text.slice(0, 300)}`,
    );
  }
}

async function memory() {
  const before = statSync(memoryFile, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  server.kill("SIGUSR2");
  while ((statSync(memoryFile, { throwIfNoEntry: false })?.mtimeMs ?? 0) === before) await sleep(20);
  await sleep(50);
  return JSON.parse(readFileSync(memoryFile, "utf8"));
}

let failed = false;
function report(name, value, ok = true) {
  console.log(`${ok ? "ok  " : "MISS"} ${name.padEnd(28)} ${value}`);
  failed ||= !ok;
}
const counted = () =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, n]) => `${status}: ${n}`)
    .join(", ");
function reportFaults(name, count) {
  const logged = failuresIn(output);
  report(
    name,
    `${count} requests over ${routes.length} routes and pages, ${faults.length} faults (${counted()})`,
    faults.length === 0,
  );
  report("server's log", `${logged.length} failures`, logged.length === 0);
  for (const fault of faults.slice(0, 20)) console.error(`FAULT ${fault}`);
  for (const line of logged.slice(0, 20)) console.error(`LOG   ${line.slice(0, 500)}`);
  faults.length = 0;
  statuses.clear();
  output = "";
}

const workers = Array.from({ length: 8 }, async (_, worker) => {
  for (let i = worker; i < given.requests; i += 8) await attack();
});
await Promise.all(workers);
faults.push(...(await rawFaults(port)));
reportFaults(`${routes.length} routes and pages`, given.requests + RAW.length);

const percentile = (sorted, p) => sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? 0;
/** What the pages ask for. */
function honest(i) {
  const { project, agent: id, session } = known;
  const at = `/api/projects/${project}/agents/${id}`;
  const paths = [
    "/api/me",
    `/api/projects/${project}/status`,
    `${at}/sessions?limit=30`,
    `${at}/sessions/${session}`,
    `${at}/sessions/${session}/messages?limit=50`,
    `/api/projects/${project}/marks`,
    `${at}/traces?limit=30`,
  ];
  return { method: "GET", path: paths[i % paths.length], headers: { cookie: known.cookies[0] } };
}

/** Calls `run` at this rate until the time is over; each client waits for its answer before it goes on. */
async function atRate(perSecond, until, run) {
  const every = 1_000 / perSecond;
  let next = performance.now() + Math.random() * every;
  while (next < until) {
    await sleep(Math.max(0, next - performance.now()));
    await run();
    next = Math.max(next + every, performance.now());
  }
}

if (given.seconds > 0) {
  const times = [];
  const bad = new Map();
  const others = connections(OTHERS);
  // Clients of the API; a person at a browser loads no two pages a second.
  fuzz = new Fuzz(
    given.seed + 1,
    routes.filter(({ path }) => path.startsWith("/api/")),
    people,
  );
  const run = async (seconds) => {
    const until = performance.now() + seconds * 1_000;
    const clients = Array.from({ length: given.clients }, () => atRate(given.rate, until, attack));
    const honestPeople = Array.from({ length: OTHERS }, (_, i) =>
      atRate(given.rate, until, async () => {
        const { status, ms } = await send({ port, agent: others }, honest(i++));
        times.push(ms);
        if (status !== 200) bad.set(status, (bad.get(status) ?? 0) + 1);
      }),
    );
    await Promise.all([...clients, ...honestPeople]);
  };
  // Until everything has been compiled once and every cache has its size.
  await run(Math.min(20, given.seconds / 3));
  const early = await memory();
  times.length = 0;
  const began = fuzz.count;
  await run(given.seconds);
  const sent = fuzz.count - began;
  await sleep(2_000);
  const late = await memory();
  reportFaults(`${given.clients} clients, ${given.seconds} s`, sent);
  report("requests per second", `${(sent / given.seconds).toFixed(0)} of ${given.clients * given.rate}`);
  times.sort((a, b) => a - b);
  const p99 = percentile(times, 99);
  const spread = `p50 ${percentile(times, 50).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${percentile(times, 100).toFixed(0)} ms`;
  report("other people's requests", `${times.length}: ${spread} (p99 < 200)`, p99 < 200);
  report("and all are answered", [...bad].map(([status, n]) => `${status}: ${n}`).join(", ") || "yes", bad.size === 0);
  const mb = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
  const flat = late.heap - early.heap < 10 * 2 ** 20 + early.heap * 0.15;
  report(
    "memory flat",
    `after gc ${mb(early.heap)}, later ${mb(late.heap)}; resident ${mb(early.rss)}, ${mb(late.rss)}`,
    flat,
  );
}
process.exit(failed ? 1 : 0);
