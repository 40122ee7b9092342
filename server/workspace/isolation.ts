/** Can commands be isolated on this machine? Found out by doing it once: a room is made, and `true` is run in it. */
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, lstat, mkdir, mkdtemp, readlink, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import type { IsolationProblem } from "../../lib/api/isolation";
import { replaceFile } from "../files";
import { Room, type RoomLimits, type Sandbox } from "./room";
import { type RoomNetwork, type SystemPart, USER_INSIDE } from "./room-plan";
import { startProgram } from "./spawner";

export interface Found {
  /** null: commands run with the rights of the server's account. */
  sandbox: Sandbox | null;
  problem?: IsolationProblem;
  /** What bubblewrap or slirp4netns said. */
  detail?: string;
}

export interface IsolationOptions {
  /** Where files for rooms are kept. */
  folder: string;
  limits: RoomLimits;
  /** False: switched off by the operator. */
  wanted: boolean;
  path?: string;
}

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix"];
/** Nothing here names a person or holds a key; the two folders hold links and public certificates. */
const ETC = [
  "ld.so.cache",
  "ld.so.conf",
  "nsswitch.conf",
  "localtime",
  "timezone",
  "mime.types",
  "services",
  "protocols",
  "alternatives",
  "ssl/certs",
  "ssl/openssl.cnf",
  "pki/tls/certs",
  "ca-certificates.conf",
].map((name) => `/etc/${name}`);

const usable = (file: string, mode?: number): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false,
  );

async function programOf(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    if (await usable(file, constants.X_OK)) return file;
  }
  return undefined;
}

async function systemParts(): Promise<SystemPart[]> {
  const parts = SYSTEM.map(async (path): Promise<SystemPart[]> => {
    const found = await lstat(path).catch(() => null);
    if (found?.isSymbolicLink()) return [{ path, link: await readlink(path) }];
    return found?.isDirectory() ? [{ path }] : [];
  });
  return (await Promise.all(parts)).flat();
}

async function madeFiles(folder: string): Promise<Sandbox["parts"]["files"]> {
  const at = (name: string) => join(folder, name);
  const id = USER_INSIDE;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(
    at("passwd"),
    `agent:x:${id}:${id}:agent:/tmp:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n`,
  );
  await replaceFile(at("group"), `agent:x:${id}:\nnogroup:x:65534:\n`);
  await replaceFile(at("hosts"), "127.0.0.1 localhost room\n::1 localhost\n");
  // The name server that slirp4netns offers.
  await replaceFile(at("resolv.conf"), "nameserver 10.0.2.3\n");
  const real = await realpath(folder);
  const file = (name: string) => join(real, name);
  return { passwd: file("passwd"), group: file("group"), hosts: file("hosts"), resolv: file("resolv.conf") };
}

/** Runs `true` in a room of its own; why that cannot be done, else null. */
async function trial(sandbox: Sandbox, network: RoomNetwork): Promise<string | null> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "penguin-room-")));
  const [workspace, tmp] = [join(base, "work"), join(base, "tmp")];
  await Promise.all([workspace, tmp].map((path) => mkdir(path)));
  const plan = { workspace, tmp, dataRoot: join(base, "none"), places: [], network, ...sandbox.parts };
  const made = await Room.make(sandbox, plan);
  try {
    if (!made.ok) return made.message;
    const env = { PATH: "/usr/bin:/bin" };
    const running = await startProgram(made.room.entry(workspace, ["true"], { env, input: false, background: false }));
    let said = "";
    running.output.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
    });
    const { code } = await running.exited.promise;
    return code === 0 ? null : said.trim().slice(0, 500) || `true ended with ${code}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    if (made.ok) made.room.end();
    await rm(base, { recursive: true, force: true });
  }
}

async function detect({ folder, limits, wanted, path = process.env.PATH ?? "" }: IsolationOptions): Promise<Found> {
  if (!wanted) return { sandbox: null, problem: "switched_off" };
  if (process.platform !== "linux") return { sandbox: null, problem: "not_linux" };
  const names = ["bwrap", "unshare", "nsenter", "setpriv", "prlimit", "slirp4netns"];
  const [bwrap, unshare, nsenter, setpriv, prlimit, slirp] = await Promise.all(
    names.map((name) => programOf(name, path)),
  );
  if (!bwrap) return { sandbox: null, problem: "no_bubblewrap" };
  if (!unshare || !nsenter || !setpriv || !prlimit) return { sandbox: null, problem: "no_util_linux" };
  try {
    await promisify(execFile)(bwrap, ["--version"], { env: { NODE_ENV: "production", PATH: path }, timeout: 10_000 });
    const there = await Promise.all(ETC.map((file) => usable(file)));
    const etc = ETC.filter((_, i) => there[i]);
    const parts = { system: await systemParts(), etc, files: await madeFiles(folder) };
    const sandbox: Sandbox = { bwrap, unshare, nsenter, root: process.getuid?.() === 0, parts, limits };
    const why = await trial(sandbox, "off");
    if (why !== null) return { sandbox: null, problem: "failed", detail: why };
    if (!slirp) return { sandbox, problem: "no_network" };
    const connected = { ...sandbox, slirp };
    const unconnected = await trial(connected, "isolated");
    return unconnected === null ? { sandbox: connected } : { sandbox, problem: "no_network", detail: unconnected };
  } catch (error) {
    return { sandbox: null, problem: "failed", detail: error instanceof Error ? error.message : String(error) };
  }
}

/** What could not be done is tried again after so long: somebody may have installed it. Milliseconds. */
const AGAIN_MS = 60_000;

export class Isolation {
  #found: Promise<Found> | null = null;
  #at = 0;
  #known: boolean | null = null;
  constructor(private readonly options: IsolationOptions) {}

  /** Never throws. */
  async found(): Promise<Found> {
    this.#found ??= this.#detect();
    const found = await this.#found;
    const complete = found.problem === undefined || found.problem === "switched_off" || found.problem === "not_linux";
    if (!complete && Date.now() - this.#at > AGAIN_MS) this.#found = null;
    return this.#found ?? this.found();
  }

  /** The last answer, without waiting; null: there is none yet. */
  peek(): boolean | null {
    void this.found();
    return this.#known;
  }

  async #detect(): Promise<Found> {
    this.#at = Date.now();
    const found = await detect(this.options);
    this.#known = found.sandbox !== null;
    return found;
  }
}

/** The network that commands really get: an isolated one where that can be had, else none. */
export function networkOf(wanted: RoomNetwork, { sandbox }: Found): RoomNetwork {
  return wanted === "isolated" && !sandbox?.slirp ? "off" : wanted;
}
