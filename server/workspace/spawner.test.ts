import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { type Running, startProgram } from "./spawner";

// Starting a process can take seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

interface Proc {
  pid: number;
  parent: number;
  state: string;
  line: string;
}

function processes(): Proc[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [state = "", parent] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
        return [
          { pid: Number(pid), parent: Number(parent), state, line: readFileSync(`/proc/${pid}/cmdline`, "latin1") },
        ];
      } catch {
        return [];
      }
    });
}
/** Which scheduling policy a process has: 3 is SCHED_BATCH. */
const policyOf = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ")[38]);
/** Without `chrt` there is the ordinary one. */
const BATCH = spawnSync("chrt", ["--version"]).error ? 0 : 3;
const alive = (marker: string) => processes().filter(({ state, line }) => state !== "Z" && line.includes(marker));
const spawnerOf = (parent: number) =>
  processes().find((proc) => proc.parent === parent && proc.line.includes("spawner-program"));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
let serial = 0;
/** A number of seconds nobody else sleeps. */
const uniqueSleep = () => `${5000 + (process.pid % 1000)}.${Date.now() % 100000}${serial++}`;

const shell = (cmd: string, background = false) =>
  startProgram({
    program: "bash",
    args: ["-c", cmd],
    cwd: "/",
    env: { PATH: process.env.PATH ?? "", ONLY: "this" },
    input: background,
    background,
  });

async function outputOf(running: Running): Promise<string> {
  let text = "";
  for await (const chunk of running.output) text += chunk;
  return text;
}

it("a command runs beside the server, without its environment and behind it in line", async () => {
  vi.stubEnv("PENGUIN_ADMIN_PASSWORD", "a secret of the server");
  const running = await shell("env; sleep 0.2");
  const own = getPriority();
  expect(getPriority(running.pid)).toBe(Math.min(19, own + 15));
  expect(policyOf(running.pid)).toBe(BATCH);
  const names = (await outputOf(running)).split("\n").map((line) => line.split("=")[0]);
  expect(names.filter((name) => !["PATH", "ONLY", "PWD", "SHLVL", "_", "", "OLDPWD"].includes(name ?? ""))).toEqual([]);
  expect(await running.exited.promise).toMatchObject({ code: 0, signal: null, left: false });
  await running.gone.promise;
  const spawner = spawnerOf(process.pid);
  expect(getPriority(spawner?.pid ?? 0)).toBe(Math.min(19, own + 5));
  const environment = readFileSync(`/proc/${spawner?.pid}/environ`, "latin1");
  expect(environment.split("\0").map((entry) => entry.split("=")[0])).toContain("PATH");
  expect(environment).not.toContain("secret");
  expect(environment).not.toContain("HOME=");
  vi.unstubAllEnvs();
});

it("a program that does not exist, and a line too long for the system, are told", async () => {
  const given = { args: [], cwd: "/", env: {}, input: true, background: true };
  await expect(startProgram({ ...given, program: "/no/such/program" })).rejects.toThrow("ENOENT");
  await expect(startProgram({ ...given, program: "/bin/true", args: ["x".repeat(4_000_000)] })).rejects.toThrow(
    "E2BIG",
  );
});

it("SIGKILL of the server ends everything it started, and the pipes are tidied away", async () => {
  const time = uniqueSleep();
  // A server in little: it starts the spawner, lets it start a command that ignores SIGTERM, and waits.
  const folder = mkdtempSync(join(tmpdir(), "spawner-test-"));
  const program = join(import.meta.dirname, "spawner-program.mjs");
  const server = spawn(process.execPath, [
    "-e",
    `const child = require("node:child_process").fork(${JSON.stringify(program)}, [${JSON.stringify(folder)}], { execArgv: [] });
     const { openSync, constants } = require("node:fs");
     child.on("message", (message) => {
       if (message.report !== "pipes") return;
       const output = message.paths[0];
       openSync(output, constants.O_RDONLY | constants.O_NONBLOCK);
       const args = ["-c", 'trap "" TERM HUP; timeout 900 sleep ${time} & sleep ${time}; wait'];
       child.send({ order: "start", id: 1, program: "bash", args, cwd: "/", env: { PATH: process.env.PATH }, output, input: null, background: false });
     });`,
  ]);
  // The timeout, what it runs, and the other one.
  await until(() => alive(`sleep\0${time}`).length === 3);
  expect(readdirSync(folder)).toHaveLength(1);
  server.kill("SIGKILL");
  await until(() => alive(time).length === 0 && alive(folder).length === 0);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

it("when the spawner is killed, its commands end and are told, and the next command gets another one", async () => {
  const time = uniqueSleep();
  const running = await shell(`sleep ${time} & sleep ${time}; wait`, true);
  await until(() => alive(time).length === 3);
  const spawner = spawnerOf(process.pid);
  process.kill(spawner?.pid ?? 0, "SIGKILL");
  expect(await running.exited.promise).toMatchObject({ code: null, signal: "SIGKILL" });
  await running.gone.promise;
  await until(() => alive(time).length === 0);
  expect(await outputOf(await shell("echo again"))).toBe("again\n");
  expect(spawnerOf(process.pid)?.pid).not.toBe(spawner?.pid);
});

it("pipes that somebody tidied away are made again", async () => {
  await (await shell("true")).gone.promise;
  const prefix = `penguin-pipe-${spawnerOf(process.pid)?.pid}-`;
  const mine = readdirSync(tmpdir()).filter((name) => name.startsWith(prefix));
  expect(mine).not.toEqual([]);
  for (const name of mine) rmSync(join(tmpdir(), name), { recursive: true });
  expect(await outputOf(await shell("echo still"))).toBe("still\n");
});

it("many commands at once: each has its own output, and no zombie is left", async () => {
  const all = await Promise.all(Array.from({ length: 100 }, (_, n) => shell(`echo ${n}`)));
  expect(await Promise.all(all.map(outputOf))).toEqual(all.map((_, n) => `${n}\n`));
  await Promise.all(all.map(({ gone }) => gone.promise));
  const own = spawnerOf(process.pid)?.pid;
  await until(() => processes().every(({ parent, state }) => parent !== own || state !== "Z"));
});
