/** What `npm start` and `npm run dev` share: the address, checks with one clear sentence each, and running Next. */
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { lockHolder } from "../server/lock.mjs";
import { refuseBadPaths } from "./bad-path.mjs";
import { fail, projectDir } from "./setup.mjs";

/** Address to listen on: flags, then PORT and HOST, then the defaults. */
export function readAddress() {
  const options = { port: { type: "string", short: "p" }, host: { type: "string", short: "H" } };
  let flags;
  try {
    flags = parseArgs({ options }).values;
  } catch (error) {
    fail(`${error.message}. Known flags: --port <number>, --host <address>.`);
  }
  const given = flags.port ?? process.env.PORT ?? "7364";
  const port = Number(given);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    fail(`The port must be a number from 1 to 65535, not "${given}".`);
  return { port, host: flags.host ?? process.env.HOST ?? "127.0.0.1" };
}

/** Makes a folder and its parents one by one: Node's recursive mkdir never returns where a parent refuses with ENOENT (/proc). */
function makeFolder(path) {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The data root exists and can be written to, and no other server runs on it. */
export function checkRoot() {
  const root = resolve(process.env.PENGUIN_HOME || join(homedir(), ".penguin", "data"));
  try {
    makeFolder(root);
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    fail(`The data root ${root} cannot be written to (${error.code}). Set PENGUIN_HOME to a folder that can.`);
  }
  const holder = lockHolder({ own: join(root, ".server.lock"), foreign: join(root, "server.lock") });
  if (holder) {
    const where = holder.port ? `, port ${holder.port}` : "";
    fail(`Another server (process ${holder.pid}${where}) already uses the data root ${root}.`);
  }
}

const PORT_TROUBLE = {
  EADDRINUSE: "is taken by another program",
  EACCES: "needs more rights than this user has",
  EADDRNOTAVAIL: "is no address of this machine",
};

/** The address is free at this moment. */
export async function checkPort({ port, host }) {
  const probe = createServer();
  const code = await new Promise((done) => {
    probe.once("error", (error) => done(error.code));
    probe.listen(port, host, () => probe.close(() => done(null)));
  });
  if (code)
    fail(`${host}:${port} ${PORT_TROUBLE[code] ?? `cannot be used (${code})`}. Choose another with --port or PORT.`);
}

/** Runs a command of the Next CLI in this process. */
export async function runNext(command, { port, host }) {
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  process.env.PORT = String(port);
  process.env.HOST = host;
  process.chdir(projectDir);
  const cli = join(projectDir, "node_modules/next/dist/bin/next");
  refuseBadPaths();
  process.argv = [process.execPath, cli, command, "--port", String(port), "--hostname", host];
  // Longer than proxies and clients keep a connection: the side that closes first must not be the one that is sent to.
  if (command === "start") process.argv.push("--keepAliveTimeout", "65000");
  await import(cli);
}
