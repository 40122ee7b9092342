import { expect, it } from "vitest";
import {
  entryEnvironment,
  entryWords,
  planProblem,
  type RoomPlan,
  roomArguments,
  roomWords,
  slirpArguments,
} from "./room-plan";

const plan: RoomPlan = {
  workspace: "/home/ann/work",
  dataRoot: "/home/ann/.penguin/data",
  places: [
    { path: "/home/ann/.penguin/data/p/agents/a/scratchpad/s", write: true },
    { path: "/home/ann/.penguin/data/p/agents/a/agent_state/tools", write: false },
  ],
  tmp: "/home/ann/.penguin/data/p/agents/a/scratchpad/s/tmp",
  network: "isolated",
  system: [{ path: "/usr" }, { path: "/bin", link: "usr/bin" }],
  etc: ["/etc/ld.so.cache"],
  files: { passwd: "/d/passwd", group: "/d/group", hosts: "/d/hosts", resolv: "/d/resolv.conf" },
};
const pairs = (args: string[], flag: string) =>
  args.flatMap((arg, i) => (arg === flag ? [args.slice(i + 1, i + 3)] : []));

it("AC4 a user without rights, no capabilities, no further user namespaces, everything at its real place", () => {
  expect(roomArguments(plan)).toEqual([
    ...["--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--disable-userns"],
    ...["--share-net", "--die-with-parent", "--hostname", "room", "--info-fd", "2"],
    ...["--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin"],
    ...["--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache"],
    ...["--ro-bind", "/d/passwd", "/etc/passwd", "--ro-bind", "/d/group", "/etc/group"],
    ...[
      "--ro-bind",
      "/d/hosts",
      "/etc/hosts",
      "--ro-bind",
      "/d/resolv.conf",
      "/etc/resolv.conf",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
    ],
    ...["--size", "67108864", "--tmpfs", "/dev/shm", "--size", "1048576", "--tmpfs", "/run"],
    ...["--bind", plan.tmp, "/tmp", "--symlink", "/tmp", "/var/tmp"],
    ...["--bind", "/home/ann/work", "/home/ann/work"],
    ...["--bind", plan.places[0]?.path, plan.places[0]?.path],
    ...["--ro-bind", plan.places[1]?.path, plan.places[1]?.path],
    ...["--remount-ro", "/", "--chdir", "/", "--", "/bin/sh", "-c", "echo room-ready; exec sleep infinity"],
  ]);
});

it("AC4 a network that is off is none, and has no names to look up; one of the host is shared", () => {
  const args = roomArguments({ ...plan, network: "off" });
  expect(args).not.toContain("--share-net");
  expect(args).not.toContain("/etc/resolv.conf");
  expect(roomArguments({ ...plan, network: "host" })).toContain("--share-net");
});

it("the isolated network is made outside; an account without privileges is root among users of its own first", () => {
  const words = (network: RoomPlan["network"], root: boolean) => {
    const made = roomWords({ ...plan, network }, { bwrap: "/b", unshare: "/u", root });
    return made.slice(0, made.indexOf("/b") + 1);
  };
  expect(words("isolated", true)).toEqual(["/u", "--net", "--", "/b"]);
  expect(words("off", true)).toEqual(["/b"]);
  expect(words("isolated", false)).toEqual(["/u", "--user", "--map-root-user", "--net", "--", "/b"]);
  expect(words("host", false)).toEqual(["/u", "--user", "--map-root-user", "--", "/b"]);
});

it("AC4 a Workspace that contains the data root shows nothing of it but the places of the Session", () => {
  const args = roomArguments({ ...plan, workspace: "/home/ann" });
  const at = (...words: string[]) => args.findIndex((_, i) => words.every((word, n) => args[i + n] === word));
  const hidden = at("--tmpfs", plan.dataRoot);
  expect(at("--bind", "/home/ann", "/home/ann")).toBeLessThan(hidden);
  expect(hidden).toBeLessThan(at("--bind", plan.places[0]?.path ?? ""));
  expect(at("--remount-ro", plan.dataRoot)).toBeGreaterThan(at("--ro-bind", plan.places[1]?.path ?? ""));
  expect(pairs(roomArguments(plan), "--tmpfs").flat()).not.toContain(plan.dataRoot);
});

it("AC4 what cannot be kept apart is said: the system as a Workspace", () => {
  for (const workspace of ["/", "/usr/src", "/etc"]) expect(planProblem({ ...plan, workspace })).toContain(workspace);
  expect(planProblem(plan)).toBeNull();
  expect(planProblem({ ...plan, workspace: "/home/ann" })).toBeNull();
});

it("a command enters all namespaces, in its folder, with its limits", () => {
  const entry = { nsenter: "/n", root: true, network: "isolated", door: { inside: 7, outside: 5 }, memory: 9 } as const;
  const inside = [
    "--target",
    "7",
    "--user",
    "--mount",
    "--pid",
    "--ipc",
    "--uts",
    "--net",
    "--preserve-credentials",
    "--",
  ];
  const run = ["/bin/sh", "-c", 'cd -- "$0" && exec "$@"', "/w", "prlimit", "--data=9", "--core=0"];
  const command = ["bash", "-lc", "ls"];
  expect(entryWords(entry, "/w", command)).toEqual(["/n", ...inside, ...run, "setpriv", "--no-new-privs", ...command]);
  expect(entryWords({ ...entry, network: "host" }, "/w", command)).not.toContain("--net");
  const first = ["/n", "--target", "5", "--user", "--preserve-credentials", "--", "/n"];
  expect(entryWords({ ...entry, root: false }, "/w", command).slice(0, 9)).toEqual([...first, "--target", "7"]);
});

it("AC4 the program that leads in loads nothing that a command's environment names", () => {
  const env = {
    PATH: "/bin",
    TOKEN: "x",
    LD_PRELOAD: "/w/evil.so",
    LD_AUDIT: "x",
    GCONV_PATH: "x",
    GLIBC_TUNABLES: "x",
  };
  expect(entryEnvironment(env)).toEqual({ PATH: "/bin", TOKEN: "x" });
});

it("the isolated network never reaches the host's loopback", () => {
  const args = ["--configure", "--mtu=65520", "--disable-host-loopback", "--ready-fd=1"];
  expect(slirpArguments(5, true)).toEqual([...args, "5", "tap0"]);
  expect(slirpArguments(5, false)).toEqual([...args, "--userns-path=/proc/5/ns/user", "5", "tap0"]);
});
