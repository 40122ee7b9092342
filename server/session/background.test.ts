/** Commands in the background: their end is told, nothing survives its Session, nothing piles up. */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { readBackgroundTaskDone } from "../../lib/omni/blocks";
import { answer } from "../engine/testing/script";
import type { Session } from "./session";
import { type FamilyServer, familyServer } from "./testing/family";
import { idle, Reader, text, until } from "./testing/host";

const open: FamilyServer[] = [];
async function family(...given: Parameters<typeof familyServer>): Promise<FamilyServer> {
  const made = await familyServer(...given);
  open.push(made);
  return made;
}
afterEach(async () => {
  for (const { server } of open.splice(0)) {
    server.registry.closeAll();
    await server.remove();
  }
});

const exec = (id: string, cmd: string, more: Record<string, unknown> = { run_in_background: true }) => ({
  call: "exec_command",
  id,
  args: JSON.stringify({ description: "d", cmd, ...more }),
});
const reports = (session: Session) =>
  session.records.flatMap(({ message: { payload } }) => {
    const done = payload.type === "text" ? readBackgroundTaskDone(String(payload.text)) : null;
    return done ? [done] : [];
  });
/** `ps` without ps: command lines that hold a mark, and zombies below this process. */
function processes(mark: string): { marked: number; zombies: number } {
  let marked = 0;
  let zombies = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").includes(mark)) marked += 1;
      const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      if (state === "Z" && parent === String(process.pid)) zombies += 1;
    } catch {
      // It ended while it was looked at.
    }
  }
  return { marked, zombies };
}

/** Looking at all processes is work: not every millisecond. */
async function untilProcesses(mark: string, condition: (found: { marked: number; zombies: number }) => boolean) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (condition(processes(mark))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(condition(processes(mark)), JSON.stringify(processes(mark))).toBe(true);
}

describe("reports", () => {
  it("FF 6.6: a command that ends after its Task is told by a Task of its own, with the end of its output", async () => {
    const made = await family({
      parent: [answer(exec("c1", "sleep 0.4; echo out; exit 3")), answer({ say: "ok" }), answer({ say: "noted" })],
    });
    const session = await made.start();
    await until(() => made.llm.of("parent").length === 3 && session.status === "idle");
    expect(reports(session)).toMatchObject([
      { kind: "command", status: "failed", detail: "exit code: 3", rest: "out\n" },
    ]);
    const record = session.records.find(
      ({ message: { payload } }) => payload.type === "text" && String(payload.text).startsWith("[background"),
    );
    expect(record?.message.payload).toMatchObject({ role: "user", sender: "harness" });
    expect(record?.message.payload).not.toHaveProperty("author");
    expect(made.llm.of("parent")[2]?.history.at(-1)).toMatchObject({ sender: "harness" });
  });

  it("one that is killed sends none; the state tells how many run, and a person can stop one", async () => {
    const made = await family({
      parent: [answer(exec("c1", "sleep 60"), exec("c2", "sleep 60")), answer({ say: "ok" })],
    });
    const session = await made.start();
    const reader = new Reader();
    session.subscribe(null, reader);
    await until(() => session.status === "idle" && session.processes?.processes().length === 2);
    await until(() => reader.state.state === "idle");
    expect(reader.state).toMatchObject({ commands: 2 });
    const [one, two] = session.processes?.processes() ?? [];
    expect(await session.processes?.stopProcess(one?.process_id ?? "")).toBe(true);
    expect(await session.processes?.removeProcess(two?.process_id ?? "")).toBe(true);
    expect(await session.processes?.removeProcess(two?.process_id ?? "")).toBe(false);
    await until(() => reader.state.commands === undefined);
    expect(session.processes?.processes()).toEqual([]);
    expect(reports(session)).toEqual([]);
  });

  it("what ends after a Stop waits for the next prompt and goes ahead of it, in one Task", async () => {
    const made = await family({
      parent: [answer(exec("c1", "sleep 0.6; echo late")), answer({ hang: "" }), answer({ say: "noted" })],
    });
    const session = await made.start();
    await until(() => made.llm.of("parent").length === 2);
    session.abort("ann");
    await idle(session);
    await until(() => session.processes?.processes().length === 0);
    expect(made.llm.of("parent")).toHaveLength(2);
    await session.submit({ id: "t2", parts: text("go on"), author: "ann" }, false);
    await idle(session);
    const inputs = session.records.flatMap(({ message: { payload } }) =>
      payload.type === "text" && payload.role === "user" ? [[payload.sender, payload.client_id]] : [],
    );
    expect(inputs.slice(1)).toEqual([
      ["harness", "t2"],
      [undefined, "t2"],
    ]);
  });
});

describe("CX14: processes", () => {
  it("CX14: thirty commands that leave a child behind: bounded while they run, none after the Session is deleted, no zombies", async () => {
    const mark = `sleep 31${process.pid}`;
    const holdsPipe = `( ${mark} ) & echo started`;
    const made = await family({
      parent: [
        answer(...Array.from({ length: 15 }, (_, i) => exec(`f${i}`, holdsPipe, {}))),
        answer(...Array.from({ length: 15 }, (_, i) => exec(`b${i}`, holdsPipe))),
        answer({ say: "ok" }),
      ],
    });
    const session = await made.start();
    await until(() => made.llm.of("parent").length === 2);
    await idle(session);
    // A foreground command takes its children with it; one in the background keeps them, under its process_id.
    expect(session.processes?.processes()).toHaveLength(15);
    expect(processes(mark).marked).toBeLessThanOrEqual(2 * 15);
    await made.server.registry.remove(session.ref, "ann");
    await untilProcesses(mark, ({ marked, zombies }) => marked === 0 && zombies === 0);
  }, 60_000);

  it("CX14: shutdown leaves nothing either, also of a subagent", async () => {
    const mark = `sleep 32${process.pid}`;
    const made = await family({
      parent: [
        answer({
          call: "run_subagent",
          id: "s1",
          args: JSON.stringify({ description: "d", prompt: "child", run_in_background: true }),
        }),
        answer({ say: "ok" }),
      ],
      child: [answer(exec("c1", mark)), answer({ hang: "" })],
    });
    await made.start();
    await until(() => made.llm.of("child").length === 2);
    await untilProcesses(mark, ({ marked }) => marked > 0);
    made.server.registry.closeAll();
    await untilProcesses(mark, ({ marked }) => marked === 0);
  });
});
