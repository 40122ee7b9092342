/**
 * The room in which the commands of one Session run: what bubblewrap is told, and how a command gets in. Pure; the
 * table of what is inside is `docs/reach.md`. Every path is bound at its real absolute place, because Traces and
 * prompts hold such paths.
 */
import type { CommandNetwork } from "../../lib/api/isolation";
import { below } from "./confine";

export type RoomNetwork = CommandNetwork;

/** A part of the system, as it is on this machine: a folder, or a link into one (`/bin` -> `usr/bin`). */
export type SystemPart = { path: string; link?: string };

export interface RoomPlan {
  /** Real path. */
  workspace: string;
  /** Real path; hidden when the Workspace contains it. */
  dataRoot: string;
  /** What of the data root is inside, real paths that exist. AGENTS.md is one file: it can be written, not replaced. */
  places: readonly { path: string; write: boolean }[];
  /** Stands at /tmp. */
  tmp: string;
  network: RoomNetwork;
  system: readonly SystemPart[];
  /** Single entries of /etc that say nothing about this machine's people. */
  etc: readonly string[];
  /** Files made for rooms, in place of the machine's own. */
  files: { passwd: string; group: string; hosts: string; resolv: string };
}

const MIB = 1024 * 1024;
/** Memory that a command could fill without a file: shared memory and /run. */
const SHARED_MEMORY = 64 * MIB;
const SMALL = MIB;

/** Why the commands of this Workspace cannot be isolated; null: they can. */
export function planProblem({
  workspace,
  dataRoot,
  tmp,
}: Pick<RoomPlan, "workspace" | "dataRoot" | "tmp">): string | null {
  const system = ["/etc", "/usr", "/proc", "/dev", "/bin", "/lib", "/sbin"].find(
    (path) => below(path, workspace) || below(workspace, path),
  );
  if (system) return `the Workspace ${workspace} and ${system} lie in each other`;
  return below(dataRoot, tmp) ? "the data root lies in a scratchpad" : null;
}

/** Whoever runs the server: inside it is somebody without rights. */
export const USER_INSIDE = 1000;

const RESOLV = "/etc/resolv.conf";

/** Where in the room stands which real path of the machine; what must be the same there. */
export function boundPaths({ tmp, workspace, places }: RoomPlan): { inside: string; outside: string }[] {
  const same = [workspace, ...places.map(({ path }) => path)].map((path) => ({ inside: path, outside: path }));
  return [{ inside: "/tmp", outside: tmp }, ...same].filter(
    // A Workspace that is /tmp itself stands there instead.
    ({ inside }, i) => i > 0 || workspace !== inside,
  );
}

/** What is printed when the room stands. */
export const READY = "room-ready";

/** The arguments of bubblewrap. The room lives as long as its first process, which only waits. */
export function roomArguments(plan: RoomPlan): string[] {
  const { workspace, dataRoot, places, tmp, network, system, etc, files } = plan;
  const hidden = below(dataRoot, workspace);
  return [
    "--unshare-all",
    "--unshare-user",
    ...["--uid", String(USER_INSIDE), "--gid", String(USER_INSIDE)],
    ...["--cap-drop", "ALL"],
    "--disable-userns",
    ...(network === "off" ? [] : ["--share-net"]),
    "--die-with-parent",
    ...["--hostname", "room"],
    ...["--info-fd", "2"],
    ...system.flatMap(({ path, link }) => (link === undefined ? ["--ro-bind", path, path] : ["--symlink", link, path])),
    ...etc.flatMap((path) => ["--ro-bind", path, path]),
    ...["--ro-bind", files.passwd, "/etc/passwd", "--ro-bind", files.group, "/etc/group"],
    ...["--ro-bind", files.hosts, "/etc/hosts"],
    ...(network === "off" ? [] : ["--ro-bind", network === "host" ? RESOLV : files.resolv, RESOLV]),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", String(SHARED_MEMORY), "--tmpfs", "/dev/shm"],
    ...["--size", String(SMALL), "--tmpfs", "/run"],
    // Before the Workspace and the data root, which may themselves lie in /tmp.
    ...["--bind", tmp, "/tmp", "--symlink", "/tmp", "/var/tmp"],
    ...["--bind", workspace, workspace],
    ...(hidden ? ["--size", String(SMALL), "--tmpfs", dataRoot] : []),
    ...places.flatMap(({ path, write }) => [write ? "--bind" : "--ro-bind", path, path]),
    ...(hidden ? ["--remount-ro", dataRoot] : []),
    ...["--remount-ro", "/"],
    ...["--chdir", "/"],
    "--",
    ...["/bin/sh", "-c", `echo ${READY}; exec sleep infinity`],
  ];
}

/**
 * Makes a room: the program and its arguments. An account without privileges first becomes root among users of its own,
 * so that all the rest is the same for both.
 */
export function roomWords(
  plan: RoomPlan,
  { bwrap, unshare, root }: { bwrap: string; unshare: string; root: boolean },
): [program: string, ...args: string[]] {
  const users = root ? [] : ["--user", "--map-root-user"];
  const net = plan.network === "isolated" ? ["--net"] : [];
  const before: string[] = users.length + net.length > 0 ? [unshare, ...users, ...net, "--"] : [];
  const [program = bwrap, ...args] = [...before, bwrap, ...roomArguments(plan)];
  return [program, ...args];
}

export interface RoomDoor {
  /** The host's number of the first process inside. */
  inside: number;
  /** The host's number of the process that made the room. */
  outside: number;
}

export interface Entry {
  nsenter: string;
  root: boolean;
  network: RoomNetwork;
  door: RoomDoor;
  /** Bytes of data that each process may have. */
  memory: number;
}

/** What would make the program that leads in, which still runs outside, load code of the command's choice. */
const LOADER = /^(LD_.*|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|MALLOC_.*)$/;

/** The environment with which a command enters. */
export const entryEnvironment = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !LOADER.test(name)));

/** Runs a command line in a room: the program and its arguments. A folder that is gone is said by the shell. */
export function entryWords(
  { nsenter, root, network, door, memory }: Entry,
  cwd: string,
  command: readonly string[],
): [program: string, ...args: string[]] {
  const kept = ["--preserve-credentials", "--"];
  const first = root ? [] : ["--target", String(door.outside), "--user", ...kept, nsenter];
  const spaces = ["--user", "--mount", "--pid", "--ipc", "--uts", ...(network === "host" ? [] : ["--net"])];
  const limits = ["prlimit", `--data=${memory}`, "--core=0", "setpriv", "--no-new-privs"];
  return [
    nsenter,
    ...first,
    ...["--target", String(door.inside), ...spaces, ...kept],
    ...["/bin/sh", "-c", 'cd -- "$0" && exec "$@"', cwd],
    ...limits,
    ...command,
  ];
}

/** Arguments of slirp4netns for the network of the process `outside`. */
export function slirpArguments(outside: number, root: boolean): string[] {
  return [
    "--configure",
    "--mtu=65520",
    "--disable-host-loopback",
    "--ready-fd=1",
    ...(root ? [] : [`--userns-path=/proc/${outside}/ns/user`]),
    String(outside),
    "tap0",
  ];
}
