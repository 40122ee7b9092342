import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Bench, bench } from "./test-session";

// Starting a shell can take seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let b: Bench;
beforeEach(async () => {
  b = await bench();
});
afterEach(() => b.cleanup());

const exec = (cmd: string, more: object = {}, options?: { signal?: AbortSignal; id?: string }) =>
  b.run("exec_command", { description: "test", cmd, ...more }, options);

/** Living (not zombie) processes whose command line holds the marker. */
function alive(marker: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.[0];
        return state !== "Z" && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker);
      } catch {
        return false;
      }
    })
    .map(Number);
}
/** Waits until a condition holds; the test's own time limit ends it otherwise. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
let serial = 0;
/** A number of seconds nobody else sleeps. */
const uniqueSleep = () => `${3000 + (process.pid % 1000)}.${Date.now() % 100000}${serial++}`;
const processId = (output: string) => /process_id (proc-[0-9a-f]{8})/.exec(output)?.[1] ?? "none";

describe("exec_command", () => {
  it("runs in the Workspace and keeps stdout and stderr in order", async () => {
    const { output } = await exec("pwd; echo a; echo b >&2; echo c");
    expect(output).toBe(`${b.workspace}\na\nb\nc\n`);
  });

  it("uses a login shell unless another one is configured", async () => {
    const login = await bench({ shell: undefined });
    const { output } = await login.run("exec_command", { cmd: "shopt -q login_shell && echo login" });
    expect(output).toContain("login\n");
    await login.cleanup();
  });

  it("streams on a real pipe, so /dev/stderr can be opened", async () => {
    expect((await exec("echo x | tee /dev/stderr")).output).toBe("x\nx\n");
  });

  it("reports exit code and signal as failed", async () => {
    expect(await exec("exit 7")).toMatchObject({ output: "[exit code: 7]", stop_reason: "failed" });
    expect(await exec("kill -SEGV $$")).toMatchObject({
      output: "[terminated by signal SIGSEGV]",
      stop_reason: "failed",
    });
  });

  it("workdir: relative to the Workspace; a missing one is named; the data root is closed", async () => {
    await mkdir(join(b.workspace, "sub"));
    expect((await exec("pwd", { workdir: "sub" })).output).toBe(`${join(b.workspace, "sub")}\n`);
    expect((await exec("pwd", { workdir: "nope" })).output).toContain(
      `does not exist or is not a directory: ${join(b.workspace, "nope")}`,
    );
    expect((await exec("pwd", { workdir: b.root })).output).toMatch(/^Refused/);
  });

  it("FS11: a Workspace that is gone is named, not the shell", async () => {
    await rm(b.workspace, { recursive: true });
    const { output, stop_reason } = await exec("echo a");
    expect([output, stop_reason]).toEqual([`Workspace does not exist: ${b.workspace}`, "failed"]);
  });

  it("a shell that does not exist is a spawn error", async () => {
    const other = await bench({ shell: "/no/such/shell" });
    const { output, stop_reason } = await other.run("exec_command", { cmd: "echo a" });
    expect(output).toMatch(/^\[spawn error: .*ENOENT/);
    expect(stop_reason).toBe("failed");
    await other.cleanup();
  });

  it("AC3: children get an allow-list of the environment, and the vault", async () => {
    const secret = {
      PENGUIN_ADMIN_PASSWORD: "s1",
      AUTH_SECRET: "s2",
      OPENAI_API_KEY: "s3",
      PORT: "1",
      LC_ALL: "C",
      TZ: "UTC",
    };
    const other = await bench({
      hostEnv: { ...process.env, ...secret },
      env: { MY_TOKEN: "from-vault", GIT_EDITOR: "vi" },
    });
    const { output } = await other.run("exec_command", {
      cmd: "env -0 | tr '\\0' '\\n'; printf %s \"$MY_TOKEN\" | wc -c",
    });
    const names = output.split("\n").map((line) => line.split("=")[0]);
    for (const name of ["PENGUIN_ADMIN_PASSWORD", "AUTH_SECRET", "OPENAI_API_KEY", "PORT", "NODE_ENV"])
      expect(names).not.toContain(name);
    for (const line of [
      // The child has the value; what is shown of it is masked.
      "MY_TOKEN=***",
      "10",
      "GIT_EDITOR=true",
      "TERM=dumb",
      "PAGER=cat",
      "GIT_TERMINAL_PROMPT=0",
      "LC_ALL=C",
      "TZ=UTC",
    ]) {
      expect(output.split("\n")).toContain(line);
    }
    expect(output).toContain(`HOME=${join(other.root, "default_project/agents/default_agent/shared_env/home")}`);
    expect(output).toMatch(/TMPDIR=.*\/scratchpad\/session-[^/]+\/tmp\n/);
    await other.cleanup();
  });
});

describe("CX: what broke elsewhere", () => {
  it("CX02 bg-holds-pipe: returns when the shell exits; the child is ended with it and the rule is said", async () => {
    const time = uniqueSleep();
    const { output, stop_reason } = await exec(`( sleep ${time} ) &\necho started`);
    expect(output).toMatch(/^started\n\n\[what it left in the background was ended with it/);
    expect(stop_reason).toBe("completed");
    await until(() => alive(time).length === 0);
  });

  it("CX04 trap-term: Stop ends a command that ignores SIGTERM", async () => {
    const control = new AbortController();
    const marker = `loop-${uniqueSleep()}`;
    const running = exec(
      `: ${marker}; trap "echo GOT_SIGNAL" INT TERM; echo START; while true; do sleep 1; done`,
      {},
      { signal: control.signal },
    );
    await until(() => alive(marker).length > 0);
    control.abort();
    const { output, stop_reason } = await running;
    expect(output).toContain("[interrupted: tool aborted by user]");
    expect(stop_reason).toBe("aborted");
    await until(() => alive(marker).length === 0);
  });

  it("TP01, CX05: Stop ends grandchildren too, also those in process groups of their own", async () => {
    const control = new AbortController();
    const time = uniqueSleep();
    const running = exec(`timeout 900 sleep ${time} | cat; touch LATE`, {}, { signal: control.signal });
    await until(() => alive(time).length > 0);
    control.abort();
    expect((await running).stop_reason).toBe("aborted");
    await until(() => alive(time).length === 0);
    expect(existsSync(join(b.workspace, "LATE"))).toBe(false);
  });

  it("stdin-wait: input is closed, so cat ends", async () => {
    expect((await exec("cat\necho after-cat")).output).toBe("after-cat\n");
  });

  it("binary: no broken text, NUL replaced", async () => {
    const { output, payload } = await exec('head -c 4096 /dev/urandom; echo; printf "nul:\\0:end\\n"');
    expect(output.endsWith("nul:\uFFFD:end\n")).toBe(true);
    expect(output).not.toContain("\0");
    expect(JSON.parse(JSON.stringify(payload)).output).toBe(output);
  });

  it("multibyte-boundary: a character cut by the pipe stays whole; the recovery file holds everything", async () => {
    const { output, streamed } = await exec("yes '─' | head -n 40000 | tr -d '\\n'; echo", {}, { id: "multi" });
    const [head, ...notes] = output.split("\n");
    expect(head).toBe("─".repeat(16_000));
    expect(notes[0]).toBe("[output truncated: exceeded 16000 chars]");
    const path = /\[output archived: (.*)\]/.exec(output)?.[1] ?? "";
    expect(path).toMatch(/\/scratchpad\/session-[^/]+\/truncated-tool-output\/exec_command-[0-9a-f]{16}\.log$/);
    expect(await readFile(path, "utf8")).toBe(`${"─".repeat(40_000)}\n`);
    expect([statSync(path).mode & 0o777, statSync(join(path, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(streamed).toBe(output);
    // The same call id again: the file is never overwritten, the next one stands beside it.
    expect((await exec("seq 9000", {}, { id: "multi" })).output).toContain(path.replace(/\.log$/, "-2.log"));
    // The model can read its own recovery file.
    expect((await b.run("read_file", { file_path: path, column: 39_999 })).output).toContain("──");
  });

  it("progress-cr: stays bounded", async () => {
    const { output } = await exec(
      'for i in $(seq 0 2000); do printf "\\rdownloading %d/2000" $i; done; echo; echo finished',
    );
    expect(output.length).toBeLessThan(16_600);
    expect(output).toContain("[output archived: ");
  });

  it("grandchild-pipeline: an empty result is the exit code", async () => {
    expect((await exec("find . -name 'no-such-name-*' 2>/dev/null | grep -i nothing")).output).toBe("[exit code: 1]");
  });

  it("endless-output: yields, is readable in the background with a bounded buffer, and is ended by kill_command", async () => {
    const first = await exec("yes buglog", { yield_time_ms: 250 });
    const id = processId(first.output);
    const poll = async () => (await b.run("input_command", { process_id: id, yield_time_ms: 250 })).output;
    const bounded =
      /\[output truncated: exceeded 16000 chars\]\n\[output archived.*\]\n\[still running in the background/;
    let output = first.output;
    while (!bounded.test(output)) output = await poll();
    while (!/^\[\.\.\. \d+ chars of earlier output dropped \.\.\.\]\n/.test(output)) output = await poll();
    const killed = await b.run("kill_command", { process_id: id });
    expect(killed.output).toMatch(/\[terminated by signal SIGTERM\]$/);
    expect(killed.stop_reason).toBe("completed");
    expect((await b.run("kill_command", { process_id: id })).output).toBe(
      `Unknown process_id "${id}". No command is running in the background.`,
    );
  });
});

describe("background commands", () => {
  it("yield_time_ms lets a command go on; a poll gets the rest and the exit code", async () => {
    const first = await exec("echo one; until [ -e go ]; do sleep 0.05; done; echo two", { yield_time_ms: 250 });
    expect(first.output).toMatch(
      /\[still running in the background: process_id proc-[0-9a-f]{8}; read with input_command, end with kill_command\]$/,
    );
    expect(first.stop_reason).toBe("completed");
    const id = processId(first.output);
    expect(b.tools.processes()).toMatchObject([{ process_id: id, isolated: false }]);
    const refused = await b.run("input_command", { process_id: id, chars: "x\n" });
    expect(refused.output).toContain("input of this command is closed");
    expect(refused.stop_reason).toBe("failed");
    await writeFile(join(b.workspace, "go"), "");
    const rest = await b.run("input_command", { process_id: id, yield_time_ms: 60_000 });
    expect(first.output + refused.output + rest.output).toContain("one\n");
    expect(rest.output).toMatch(/two\n\n\[exit code: 0\]$/);
    expect(b.tools.processes()).toEqual([]);
  });

  it("run_in_background takes input, Ctrl-C alone, and the end of input", async () => {
    const started = await exec('read line; echo "got $line"; cat; echo bye', { run_in_background: true });
    expect(started.output).toContain("read or write with input_command");
    const id = processId(started.output);
    const written = await b.run("input_command", { process_id: id, chars: "hello\n" });
    expect((await b.run("input_command", { process_id: id, chars: "x\u0003" })).stop_reason).toBe("failed");
    const end = await b.run("input_command", { process_id: id, chars: "\u0004", yield_time_ms: 60_000 });
    expect(written.output + end.output).toContain("got hello\n");
    expect(end.output).toMatch(/bye\n\n\[exit code: 0\]$/);
  });

  it("Ctrl-C interrupts", async () => {
    const id = processId((await exec("sleep 600", { run_in_background: true })).output);
    const { output } = await b.run("input_command", { process_id: id, chars: "\u0003", yield_time_ms: 60_000 });
    expect(output).toMatch(/\[terminated by signal SIGINT\]|\[exit code: 130\]/);
  });

  it("what a background command starts survives its shell, until kill_command", async () => {
    const time = uniqueSleep();
    const first = await exec(`sleep ${time} & echo up`, { run_in_background: true });
    const id = processId(first.output);
    const { output } = await b.run("input_command", { process_id: id, yield_time_ms: 60_000 });
    expect(first.output + output).toContain("up\n");
    expect(output).toMatch(/\[exit code: 0\]\n\[what it started still runs; end it with kill_command/);
    expect(alive(time)).toHaveLength(1);
    expect((await b.run("kill_command", { process_id: id })).stop_reason).toBe("completed");
    await until(() => alive(time).length === 0);
  });

  it("stopping a poll leaves the command alone", async () => {
    const id = processId((await exec("sleep 600", { run_in_background: true })).output);
    const { stop_reason } = await b.run("input_command", { process_id: id }, { signal: AbortSignal.timeout(50) });
    expect(stop_reason).toBe("aborted");
    expect(b.tools.processes()).toMatchObject([{ process_id: id }]);
  });

  it("a consumer that leaves in the middle leaves no process behind", async () => {
    const time = uniqueSleep();
    const call = {
      type: "tool_call",
      role: "assistant",
      name: "exec_command",
      arguments: JSON.stringify({ cmd: `sleep ${time}` }),
      tool_call_id: "gone",
    } as const;
    const stream = b.tools.run(call, new AbortController().signal);
    await stream.next();
    const next = stream.next();
    await until(() => alive(time).length > 0);
    const left = stream.return();
    b.tools.disposeNow();
    await next;
    await left;
    await until(() => alive(time).length === 0);
  });

  it("EN7: disposeNow kills everything at once, dispose waits until it is gone", async () => {
    const [one, two] = [uniqueSleep(), uniqueSleep()];
    await exec(`trap "" TERM; sleep ${one} & sleep ${one}; wait`, { run_in_background: true });
    await exec(`sleep ${two}`, { yield_time_ms: 250 });
    expect(alive(one).length + alive(two).length).toBeGreaterThan(1);
    b.tools.disposeNow();
    await until(() => alive(one).length === 0 && alive(two).length === 0);
    await b.tools.dispose();
  });
});

const shared = join(process.env.PENGUIN_SHARED ?? join(import.meta.dirname, "../../../shared"), "cases/cmd");
if (!existsSync(shared)) console.warn(`No case scripts at ${shared}: the shared command cases are skipped.`);
describe.skipIf(!existsSync(shared))("case scripts", () => {
  const slow = ["endless-output.sh", "trap-term.sh", "grandchild-pipeline.sh"];
  const scripts = existsSync(shared)
    ? readdirSync(shared).filter((name) => name.endsWith(".sh") && !slow.includes(name))
    : [];
  it("ends each with a bounded output that streams as it is stored", async () => {
    for (const name of scripts) {
      const script = await readFile(join(shared, name), "utf8");
      await writeFile(join(b.workspace, name), script);
      const { output, streamed, stop_reason } = await exec(`bash ${name}`);
      expect(streamed, name).toBe(output);
      expect(output.length, name).toBeLessThan(16_600);
      expect(stop_reason, name).toBe("completed");
    }
    // symlink-out.sh has run: its links lead nowhere (FS13).
    for (const path of ["dangling", "escape_dir/x", "passwd_link"]) {
      expect((await b.run("write_file", { file_path: path, content: "x" })).output, path).toMatch(/^Refused/);
      expect((await b.run("read_file", { file_path: path })).output, path).toMatch(/^Refused/);
    }
    expect(existsSync("/tmp/buglog-dangling-target")).toBe(false);
  });
});
