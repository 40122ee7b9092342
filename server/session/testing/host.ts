/** A Session host on a temporary folder: the real writer and store, a scripted model and scripted tools. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeFrame, type Frame, type SnapshotFrame } from "../../../lib/api/frames";
import type { SessionRef } from "../../../lib/api/routes";
import type { InputPart } from "../../../lib/api/schemas";
import { Assembler } from "../../../lib/omni/assemble";
import { isComplete, isPartial } from "../../../lib/omni/guards";
import type { AddressedMessage, OmniMessage } from "../../../lib/omni/message";
import { parseTrace } from "../../../lib/trace/jsonl";
import { parseConfig } from "../../agent/config";
import type { Llm } from "../../engine/ports";
import { ScriptedTools } from "../../engine/testing/script";
import { layout } from "../../paths";
import { TraceStore } from "../../trace/store";
import type { Sink } from "../channel";
import type { SessionHost } from "../open";
import { SessionRegistry } from "../registry";
import type { Session } from "../session";

export const AGENT = { project: "p", agent: "a" };
export const text = (value: string): InputPart[] => [{ type: "text", text: value }];

export interface TestServer {
  root: string;
  registry: SessionRegistry;
  /** The next model that a Task gets. */
  llm: Llm;
  tools: ScriptedTools;
  /** The Agent's system_config.yaml. */
  config: string;
  host: SessionHost;
  /** The same data root in a new process: nothing of the old one's memory. */
  restart(): void;
  /** Records on disk of the newest file. */
  records(session: Session | SessionRef): Promise<OmniMessage[]>;
  raw(session: Session | SessionRef): Promise<string>;
  remove(): Promise<void>;
}

export async function testServer(llm: Llm, tools = new ScriptedTools()): Promise<TestServer> {
  const root = await mkdtemp(join(tmpdir(), "penguin-session-"));
  const paths = layout(root);
  const hostOf = (): SessionHost => ({
    layout: paths,
    store: new TraceStore(paths),
    agents: {
      config: async () => parseConfig(server.config),
      systemPrompt: async () => "be good",
      vault: async () => ({}),
    },
    models: {
      resolve: async (_, provider, model_id) =>
        provider === "gone" ? null : { provider, model_id, client_type: "openai-chat" as const },
      defaultModel: async () => ({ provider: "fake", model_id: "m" }),
    },
    workspaceRoots: async () => [root],
    shell: undefined,
    createLlm: () => server.llm,
    createTools: () =>
      Object.assign(server.tools, {
        dispose: async () => {},
        disposeNow: () => {},
        processes: () => [],
        stopProcess: async () => false,
        removeProcess: async () => false,
        isolated: false,
      }),
  });
  const traceText = async ({ ref }: { ref: SessionRef }) => {
    const files = await server.host.store.files(AGENT, ref.session);
    const last = files.at(-1);
    return last ? readFile(paths.traceFile(AGENT, last.date, ref.session, last.index), "utf8") : "";
  };
  const host = hostOf();
  const server: TestServer = {
    root,
    llm,
    tools,
    config: "system_prompt: be good\nmax_turns: -1\n",
    host,
    registry: new SessionRegistry(host),
    restart() {
      server.host = hostOf();
      server.registry = new SessionRegistry(server.host);
    },
    raw: (session) => traceText("ref" in session ? session : { ref: session }),
    records: async (session) => parseTrace(await server.raw(session)).records.map(({ message }) => message),
    remove: () => rm(root, { recursive: true, force: true }),
  };
  return server;
}

/** So long a busy machine may take; what never comes is told before the test itself is given up. */
const PATIENCE_MS = 45_000;

/** Resolves when it is so. */
export async function until(condition: () => boolean, what = "waited too long"): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !condition(); ) {
    if (performance.now() > end) throw new Error(what);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
export const idle = (session: Session) => until(() => session.status === "idle");

/** A subscriber that folds what it is sent, as a browser does. */
export class Reader implements Sink {
  frames: Frame[] = [];
  ids: string[] = [];
  records: AddressedMessage[] = [];
  state: SnapshotFrame["state"] = { state: "idle" };
  queue: SnapshotFrame["queue"] = { items: [] };
  approvals = new Map<string, string>();
  ready = true;
  ended = false;
  #fragments = new Assembler();

  get open() {
    return this.#fragments.open().map(({ payload }) => payload);
  }
  writable(): boolean {
    return this.ready;
  }
  end(): void {
    this.ended = true;
  }
  write(sent: string): void {
    const [, id = "", event = "", data = ""] = /^id: (.*)\nevent: (.*)\ndata: (.*)\n\n$/.exec(sent) ?? [];
    const frame = { event, data: JSON.parse(data) } as Frame;
    if (encodeFrame(id, frame) !== sent) throw new Error("not one frame");
    this.ids.push(id);
    this.frames.push(frame);
    this.#take(frame);
  }
  #take(frame: Frame): void {
    if (frame.event === "snapshot") {
      this.records = [...frame.data.records];
      this.state = frame.data.state;
      this.queue = frame.data.queue;
      this.approvals = new Map(frame.data.approvals.map(({ id, tool_call }) => [id, tool_call.tool_call_id]));
      this.#fragments.clear();
      for (const message of frame.data.open) this.#fragments.push(message);
    } else if (frame.event === "state") this.state = frame.data;
    else if (frame.event === "queue") this.queue = frame.data;
    else if (frame.event === "approval") {
      if ("decision" in frame.data) this.approvals.delete(frame.data.id);
      else this.approvals.set(frame.data.id, frame.data.tool_call.tool_call_id);
    } else if (frame.event === "message") this.#message(frame.data.address, frame.data.message);
  }
  #message(address: AddressedMessage["address"] | undefined, message: OmniMessage): void {
    if (address) this.records.push({ address, message });
    if (isPartial(message)) this.#fragments.push(message);
    else if (isComplete(message)) this.#fragments.complete(message);
  }
}
