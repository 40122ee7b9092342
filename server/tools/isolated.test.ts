/**
 * AC4 in earnest: commands in a room, where bubblewrap is installed. It is looked for in PATH; where it cannot be had,
 * or an isolated network cannot, that is said and the tests are skipped.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { layout as layoutOf } from "../paths";
import { Isolation } from "../workspace/isolation";
import type { Sandbox } from "../workspace/room";
import { type Bench, bench, REF, SESSION } from "./test-session";

// Real rooms and processes: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });
const MIB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), "penguin-isolated-"));
const limits = { memory: 300 * MIB, processes: 40 };
const { sandbox, problem, detail } = await new Isolation({ folder, limits, wanted: true }).found();
if (!sandbox) console.warn(`SKIPPED: commands cannot be isolated on this machine: ${problem} ${detail ?? ""}`);
else if (!sandbox.slirp)
  console.warn(`SKIPPED: an isolated network cannot be had on this machine: ${detail ?? problem}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made: Bench | null = null;
afterEach(async () => {
  await made?.cleanup();
  made = null;
});
const OTHER = "session-2026-11-29-10-00-00-ffffffff";
const MARK = "MARKED-SECRET";

async function put(path: string, text = MARK): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

async function listening(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  return address && typeof address === "object" ? address.port : 0;
}

async function room(network: "off" | "isolated" | "host" = "off", changes: Partial<Sandbox> = {}): Promise<Bench> {
  if (!sandbox) throw new Error("no sandbox");
  made = await bench({ isolation: { sandbox: { ...sandbox, ...changes }, network } });
  return made;
}
const sh = async (cmd: string, more: object = {}) =>
  (await made?.run("exec_command", { description: "d", cmd, ...more }))?.output ?? "";

describe.runIf(sandbox)("isolated commands", () => {
  it("AC4 AT09 see the table of docs/reach.md and nothing else of the data root, of the machine, or of the server", async () => {
    const { root, workspace } = await room();
    const at = layoutOf(root);
    const hidden = [
      at.vault(REF),
      at.projectConfig(REF.project),
      at.user("admin"),
      at.authSecret,
      at.systemConfig({ ...REF, agent: "other" }),
      at.traceFile(REF, "2026-11-29", OTHER, 1),
      join(at.scratchpad(REF, OTHER), "n.txt"),
      join(at.temporaryWorkspace(REF, "0a0a0a0a"), "n.txt"),
      join(root, "..", "beside.txt"),
    ];
    for (const path of hidden) await put(path);
    const readOnly = [at.systemConfig(REF), join(at.schedule(REF), "a.toml"), join(at.tools(REF), "a")];
    for (const path of readOnly) await put(path, "read me");
    const writable = [
      at.instructions(REF),
      join(at.memory(REF), "m.md"),
      join(at.skills(REF), "s.md"),
      join(at.sharedEnv(REF), "e"),
      join(at.scratchpad(REF, SESSION), "n"),
      join(workspace, "w"),
    ];
    for (const path of writable) await put(path, "old");
    const looks = [
      `for f in ${hidden.join(" ")} /root/.bashrc /etc/shadow /proc/1/root${hidden[0]}; do cat "$f" 2>/dev/null && echo "SEEN $f"; done`,
      `for f in ${readOnly.join(" ")}; do cat "$f" >/dev/null || echo "UNREAD $f"; (echo x > "$f") 2>/dev/null && echo "WROTE $f"; done`,
      `for f in ${writable.join(" ")}; do echo new > "$f" || echo "UNWRITTEN $f"; done`,
      'touch /usr/x /etc/x /x 2>/dev/null && echo "WROTE SYSTEM"',
      "id -u; ls /home /root 2>&1 | grep -v cannot; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -a SECRET",
      "unshare -U true 2>/dev/null && echo NAMESPACE; mount -t tmpfs x /mnt 2>/dev/null && echo MOUNTED",
      "grep -E 'CapEff|NoNewPrivs' /proc/self/status; echo tmp > /tmp/t; echo $HOME",
    ];
    process.env.A_SERVERS_SECRET = "SECRET";
    const seen = await sh(looks.join("\n")).finally(() => delete process.env.A_SERVERS_SECRET);
    expect(seen).not.toMatch(/SEEN|UNREAD|WROTE|UNWRITTEN|NAMESPACE|MOUNTED|SECRET/);
    expect(seen).toContain("1000\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n");
    for (const path of writable) expect(await readFile(path, "utf8")).toBe("new\n");
    expect(await readFile(join(at.sessionTmp(REF, SESSION), "t"), "utf8")).toBe("tmp\n");
    expect(seen).toContain(at.sharedHome(REF));
  });

  it("AC4 a Workspace that contains the data root shows nothing of it", async () => {
    const base = mkdtempSync(join(tmpdir(), "penguin-inside-"));
    if (!sandbox) return;
    const root = join(base, "data");
    made = await bench({ workspace: base, layout: layoutOf(root), isolation: { sandbox, network: "off" } });
    await mkdir(layoutOf(root).agentState(REF), { recursive: true });
    await put(layoutOf(root).vault(REF));
    await put(join(base, "own.txt"), "own");
    const output = await sh(`cat own.txt; grep -rs ${MARK} . && echo SEEN; ls data; touch data/x`);
    rmSync(base, { recursive: true, force: true });
    expect(output).toMatch(/^own/);
    expect(output).not.toContain("SEEN");
    expect(output).toContain("Read-only file system");
  });

  it("share one process namespace and one network without a way out; what the Session started ends with it", async () => {
    const { tools } = await room();
    const listen =
      'use IO::Socket; my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1:8123", Listen => 5); $s->accept while 1';
    await sh(`exec perl -e '${listen}'`, { run_in_background: true });
    const knock = "(exec 3<>/dev/tcp/127.0.0.1/8123) 2>/dev/null && echo OPEN && break";
    const ours = `for i in $(seq 100); do ${knock}; sleep 0.2; done; ps -ef | grep -c 'Local[A]ddr'`;
    expect(await sh(ours)).toBe("OPEN\n1\n");
    const server = createServer();
    const port = await listening(server, "127.0.0.1");
    const host = `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo REACHED; grep -c : /proc/net/dev`;
    expect(await sh(host)).toBe("1\n");
    server.close();
    expect(tools.processes()).toMatchObject([{ isolated: true }]);
    await tools.dispose();
    expect(tools.processes()).toEqual([]);
  });

  it("end, all of them, when they take too many processes or too much memory together", async () => {
    await room("off", { limits: { memory: 3_000 * MIB, processes: 40 } });
    const many = "for i in $(seq 100); do sleep 60 & done; wait";
    expect(await sh(many, { yield_time_ms: 60_000 })).toContain("too many processes");
    // The next command has a room of its own.
    expect(await sh("echo alive")).toBe("alive\n");
    await made?.cleanup();
    await room("off", { limits: { memory: 200 * MIB, processes: 100 } });
    // Grown in place: a copy of it would be more than one command alone may have.
    const hungry = "perl -e 'vec($x, 120 * 2**20, 8) = 1; sleep 60'";
    expect(await sh(`${hungry} & ${hungry}`, { yield_time_ms: 60_000 })).toContain("too much memory");
    expect(await sh(`perl -e '$x = "a" x (400 * 2**20)'`)).toMatch(/Out of memory/);
  });

  it("Ctrl-C reaches the command and not its door; exit codes and signals come through; the folder is the one asked for", async () => {
    const { workspace } = await room();
    await mkdir(join(workspace, "sub"));
    expect(await sh("pwd; exit 3", { workdir: "sub" })).toBe(`${join(workspace, "sub")}\n\n[exit code: 3]`);
    expect(await sh("kill -TERM $$")).toContain("SIGTERM");
    const started = await sh("trap 'echo caught; exit 4' INT; echo up; while :; do sleep 0.5; done", {
      run_in_background: true,
    });
    const process_id = /proc-[0-9a-f]+/.exec(started)?.[0] ?? "";
    const input = (more: object) => made?.run("input_command", { description: "d", process_id, ...more });
    for (let seen = started; !/^up$/m.test(seen); ) seen = (await input({ yield_time_ms: 1_000 }))?.output ?? "";
    const ended = await input({ chars: "\u0003", yield_time_ms: 30_000 });
    expect(ended?.output).toMatch(/caught\n[\s\S]*\[exit code: 4\]/);
    expect(await sh("echo on")).toBe("on\n");
  });

  it("a folder that was replaced by a link is not let in", async () => {
    const { root } = await room();
    const at = layoutOf(root);
    await mkdir(at.scratchpad(REF, SESSION), { recursive: true });
    await symlink("/etc", at.sessionTmp(REF, SESSION));
    expect(await sh("cat /tmp/passwd")).toMatch(/The command was not run/);
  });

  it.runIf(sandbox?.slirp)("AC4 an isolated network has a way out, never to the host's loopback", async () => {
    const server = createServer((_, response) => response.end("HOST"));
    const port = await listening(server, "0.0.0.0");
    await room("isolated");
    const knock = (host: string) => `(exec 3<>/dev/tcp/${host}/${port}) 2>/dev/null && echo "REACHED ${host}"`;
    const output = await sh(
      `${knock("127.0.0.1")}; timeout 5 bash -c '${knock("10.0.2.2")}'; grep tap0 /proc/net/dev | wc -l; cat /etc/resolv.conf`,
    );
    server.close();
    expect(output).toBe("1\nnameserver 10.0.2.3\n");
  });
});

it("where bubblewrap is missing or switched off that is the answer, and nothing is made", async () => {
  const nowhere = join(folder, "none");
  const found = await new Isolation({ folder: nowhere, limits, wanted: true, path: nowhere }).found();
  expect(found).toEqual({ sandbox: null, problem: process.platform === "linux" ? "no_bubblewrap" : "not_linux" });
  expect(await new Isolation({ folder: nowhere, limits, wanted: false }).found()).toEqual({
    sandbox: null,
    problem: "switched_off",
  });
  expect(() => readFileSync(nowhere)).toThrow();
});
