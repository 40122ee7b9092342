/** EN7: from Stop to idle with nothing left running, in the states that are the hardest to leave. */
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { FakeProvider, type Step } from "../../e2e/support/provider";
import { ScriptedLlm } from "../../server/engine/testing/script";
import { createLlm } from "../../server/llm/adapters";
import type { Session } from "../../server/session/session";
import { AGENT, idle, Reader, testServer, text } from "../../server/session/testing/host";
import { processes } from "../../server/session/testing/processes";
import { createTools, type ToolContext } from "../../server/tools/registry";

interface Stage {
  session: Session;
  seen: Reader;
  provider: FakeProvider;
}
interface State {
  mode?: "allow-all" | "always-ask";
  scripts: Step[][];
  /** Stands in the command line of everything that is started. */
  mark?: string;
  /** Is it there? */
  reached(stage: Stage): boolean;
  /** By hand, behind a first Task. */
  compact?: true;
}

const MARK = "86392.1";
/** Ignores every polite signal, and so does what it starts. */
const stubborn = `trap '' TERM INT HUP; sleep ${MARK} & sleep ${MARK}; sleep ${MARK}`;
const command = (cmd: string): Step[] => [
  { calls: [{ id: "c1", name: "exec_command", arguments: JSON.stringify({ description: "d", cmd }) }] },
];

const STATES: Record<string, State> = {
  "a command that ignores SIGTERM": {
    scripts: [command(stubborn)],
    mark: MARK,
    reached: () => processes(MARK).marked >= 2,
  },
  "a provider that hangs": {
    scripts: [[{ text: "half an an" }, { hang: true }]],
    reached: ({ seen }) => seen.open.length > 0,
  },
  "an approval that waits": {
    mode: "always-ask",
    scripts: [command("echo never")],
    reached: ({ session }) => session.approvals.pending().length === 1,
  },
  "a compaction that streams": {
    scripts: [[{ text: "one" }], [{ text: "[summary]half" }, { hang: true }]],
    reached: ({ session, seen }) => session.status === "compacting" && seen.open.length > 0,
    compact: true,
  },
};

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** One Session that is brought there and stopped. Milliseconds. */
async function stopOnce({ mode = "allow-all", scripts, mark, reached, compact }: State): Promise<number> {
  const provider = await FakeProvider.start();
  provider.script(...scripts);
  const server = await testServer(new ScriptedLlm([]));
  const { host } = server;
  Object.assign(host, {
    createLlm: (...[model, usedToolCallIds]: Parameters<typeof host.createLlm>) =>
      createLlm({ ...model, base_url: provider.url, api_key: "sk-bench" }, { usedToolCallIds }),
    createTools: (context: ToolContext) => createTools({ ...context, shell: "bash -c" }),
    workspaceRoots: async () => [tmpdir()],
  } satisfies Partial<typeof host>);
  mkdirSync(host.layout.agent(AGENT), { recursive: true });
  try {
    const session = await server.registry.create(AGENT, { approval_mode: mode }, { id: "ann" });
    const seen = new Reader();
    session.subscribe(null, seen);
    await session.submit({ id: "t1", parts: text("go"), author: "ann" }, false);
    if (compact) {
      await idle(session);
      await session.compact("ann");
    }
    await until(() => reached({ session, seen, provider }));
    const began = performance.now();
    session.abort("ann");
    const left = () => provider.open > 0 || (mark !== undefined && processes(mark).marked > 0);
    await until(() => session.status === "idle" && !left());
    return performance.now() - began;
  } finally {
    server.registry.closeAll();
    await provider.stop();
    await server.remove();
  }
}

/** By state: the longest of so many stops, after one that compiles the code. Milliseconds. */
export async function stop(rounds: string): Promise<Record<string, number>> {
  const longest: Record<string, number> = {};
  for (const [name, state] of Object.entries(STATES)) {
    await stopOnce(state);
    const took: number[] = [];
    for (let round = 0; round < Number(rounds); round++) took.push(await stopOnce(state));
    longest[name] = Math.max(...took);
  }
  return longest;
}
