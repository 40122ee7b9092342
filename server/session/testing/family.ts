/** A test server whose Sessions have real tools, subagents included, and a model that is scripted per conversation. */
import { mkdir } from "node:fs/promises";
import type { OmniMessage } from "../../../lib/omni/message";
import type { Llm, LlmEvent, LlmOutcome, LlmRequest } from "../../engine/ports";
import { type Answer, answer, ScriptedLlm, sequence } from "../../engine/testing/script";
import { createTools, type ToolContext } from "../../tools/registry";
import type { Session } from "../session";
import { AGENT, type TestServer, testServer, text, until } from "./host";

export const ann = { id: "ann" };

/** Answers by the first prompt of the conversation; the first key that the prompt begins with counts. */
class ByPrompt implements Llm {
  readonly requests: { prompt: string; request: LlmRequest }[] = [];
  readonly #scripts: Map<string, ScriptedLlm>;
  constructor(scripts: Record<string, Answer[]>) {
    this.#scripts = new Map(Object.entries(scripts).map(([prompt, answers]) => [prompt, new ScriptedLlm(answers)]));
  }
  stream(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmEvent, LlmOutcome, void> {
    const first = request.history.find((payload) => payload.type === "text");
    const prompt = first?.type === "text" ? first.text : "";
    this.requests.push({ prompt, request });
    const key = [...this.#scripts.keys()].find((name) => prompt.startsWith(name));
    return (this.#scripts.get(key ?? "") ?? new ScriptedLlm([answer({ say: "no script" })])).stream(request, signal);
  }
  /** Requests of the conversation that began so. */
  of(prompt: string): LlmRequest[] {
    return this.requests.filter((one) => one.prompt.startsWith(prompt)).map(({ request }) => request);
  }
}

export interface FamilyServer {
  server: TestServer;
  llm: ByPrompt;
  /** A Session that has been given the prompt "parent". */
  start(mode?: "allow-all" | "always-ask" | "read-only"): Promise<Session>;
  /** The same Sessions in a new process, as after a kill. */
  restart(): void;
  /** The children of a Session in memory, in the order of their start. */
  children(parent: Session): Session[];
}

export async function familyServer(
  scripts: Record<string, Answer[]>,
  changes: Partial<ToolContext> = {},
): Promise<FamilyServer> {
  const llm = new ByPrompt(scripts);
  const server = await testServer(llm);
  await mkdir(server.host.layout.agent(AGENT), { recursive: true });
  const equip = () =>
    Object.assign(server.host, {
      createTools: (context: ToolContext) => createTools({ ...context, shell: "bash -c", ...changes }),
    });
  equip();
  return {
    server,
    llm,
    async start(mode = "allow-all") {
      const session = await server.registry.create(AGENT, { approval_mode: mode }, ann);
      await session.submit({ id: "t1", parts: text("parent"), author: "ann" }, false);
      return session;
    },
    restart() {
      server.restart();
      equip();
    },
    children: (parent) => server.registry.live().filter(({ meta }) => meta.parent?.session_id === parent.ref.session),
  };
}

/** A call of run_subagent. */
export const spawn = (id: string, prompt: string, more: Record<string, unknown> = {}) => ({
  call: "run_subagent",
  id,
  args: JSON.stringify({ description: "d", prompt, ...more }),
});

/** Resolves when nothing runs, neither there nor below. */
export const settled = (session: Session) =>
  until(() => session.status === "idle" && session.subagents.running.length === 0);

// ---- reading records ----

/** Records in the notation of canonical sequences. */
export const order = (records: OmniMessage[]) =>
  sequence(records)
    .replaceAll("session_info", "I")
    .replaceAll("subagent", "P")
    .replace(/([CDO])c/g, "$1");
export const outputs = (records: OmniMessage[]) =>
  records.flatMap(({ payload }) => (payload.type === "tool_call_output" ? [payload] : []));
export const pointers = (records: OmniMessage[]) =>
  records.flatMap(({ payload }) => (payload.type === "subagent" ? [payload.session_id] : []));
export const userTexts = (records: OmniMessage[]) =>
  records.flatMap(({ payload }) => (payload.type === "text" && payload.role === "user" ? [payload] : []));
/** The first child of a Session, once there is one. */
export const childOf = async (made: FamilyServer, parent: Session) => {
  await until(() => made.children(parent).length > 0);
  const [child] = made.children(parent);
  if (!child) throw new Error("no child");
  return child;
};
