/** The product's runtime in a process without Next, driven by orders. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { parse, stringify } from "yaml";
import { AppError } from "../../lib/api/errors";
import type { Frame, StateFrame } from "../../lib/api/frames";
import { readConfig } from "../../server/config";
import { removeLeftovers } from "../../server/leftovers";
import { takeLock } from "../../server/lock.mjs";
import { DEFAULT_AGENT, DEFAULT_PROJECT, layout } from "../../server/paths";
import { createRuntime, type Runtime } from "../../server/runtime";
import type { Sink } from "../../server/session/channel";
import { forkSession } from "../../server/session/fork";
import type { Session } from "../../server/session/session";
import { Loop } from "./loop";
import { type BareOptions, bareOptions, type Figures, type Order, request, SUMMARY_PROMPT } from "./orders";

const AGENT = { project: DEFAULT_PROJECT, agent: DEFAULT_AGENT };
const PERSON = { id: "admin" };
/** Of a goal: two rounds or three, as nobody ever says that it is reached. */
const GOAL_TOKENS = 2_000;
const say = (message: object) => process.send?.(message);

/** Follows a Session as a browser does: tells of each record, and decides each question. */
class Watcher implements Sink {
  readonly #idle: (() => void)[] = [];
  /** Why the last Task ended badly. */
  error: StateFrame["error"] | null = null;
  constructor(private readonly session: Session) {}

  writable(): boolean {
    return true;
  }
  end(): void {}

  write(text: string): void {
    const event = /^event: (\w+)$/m.exec(text)?.[1];
    if (event !== "state" && event !== "approval" && !text.includes('"address"')) return;
    const frame = { event, data: JSON.parse(text.slice(text.indexOf("\ndata: ") + 7)) } as Frame;
    if (frame.event === "snapshot") {
      for (const { address, message } of frame.data.records) this.#tell(address, message.payload);
      for (const { id } of frame.data.approvals) this.#decide(id);
      this.#state(frame.data.state);
    } else if (frame.event === "message") {
      const { address, message } = frame.data;
      if (address && !message.origin) this.#tell(address, message.payload);
    } else if (frame.event === "approval" && !("decision" in frame.data)) this.#decide(frame.data.id);
    else if (frame.event === "state") this.#state(frame.data);
  }

  #tell(address: { file_index: number; line: number }, payload: object): void {
    const type = "type" in payload ? String(payload.type) : "session_meta";
    say({ shown: { session: this.session.ref.session, file: address.file_index, line: address.line, type } });
  }

  #state({ state, error }: StateFrame): void {
    this.error = error ?? null;
    if (state === "idle") for (const tell of this.#idle.splice(0)) tell();
  }

  #decide(id: string): void {
    setTimeout(() => this.session.approvals.decide(id, "allow", PERSON.id), 5);
  }

  /** Resolves when the Session has nothing to do any more. */
  async idle(): Promise<void> {
    while (this.session.status !== "idle") await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}

class Bare {
  readonly #watchers = new Map<Session, Watcher>();
  readonly #loop = new Loop();
  constructor(private readonly runtime: Runtime) {}

  #watch(session: Session): Watcher {
    const known = this.#watchers.get(session);
    if (known) return known;
    const watcher = new Watcher(session);
    this.#watchers.set(session, watcher);
    session.subscribe(null, watcher);
    return watcher;
  }

  async #session(id: string): Promise<Session> {
    const session = await this.runtime.sessions.open({ ...AGENT, session: id });
    if (!session) throw new AppError("not_found");
    this.#watch(session);
    return session;
  }

  async #open(ids: string[]): Promise<string[]> {
    const problems: string[] = [];
    for (const id of ids) {
      const session = await this.runtime.sessions.open({ ...AGENT, session: id }).catch((error: unknown) => error);
      if (!(session && typeof session === "object" && "problem" in session)) problems.push(`${id}: ${session}`);
      else if (session.problem) problems.push(`${id}: ${JSON.stringify(session.problem)}`);
    }
    return problems;
  }

  #figures({ reset, collect }: { reset: boolean; collect: boolean }): Figures {
    if (collect) globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    return { loop: this.#loop.figures(reset), rss_mb: rss / 1024 ** 2, heap_mb: heapUsed / 1024 ** 2 };
  }

  async obey(order: Order): Promise<unknown> {
    switch (order.op) {
      case "create": {
        const { client_id, mode } = order;
        const made = await this.runtime.sessions.create(AGENT, { client_id, approval_mode: mode }, PERSON);
        this.#watch(made);
        return made.ref.session;
      }
      case "open":
        return this.#open(order.sessions);
      case "figures":
        return this.#figures(order);
      default:
        return this.#drive(await this.#session(order.session), order);
    }
  }

  async #drive(session: Session, order: Extract<Order, { session: string }>): Promise<unknown> {
    switch (order.op) {
      case "submit":
      case "run": {
        const parts = [{ type: "text" as const, text: order.text }];
        const goal = order.op === "submit" && order.goal ? { goal: { budget: GOAL_TOKENS } } : {};
        const task = { id: order.client_id, parts, author: PERSON.id, ...goal };
        await session.submit(task, order.op === "submit" && order.queue);
        if (order.op === "run") await this.#watch(session).idle();
        return this.#watch(session).error;
      }
      case "steer":
        return session.steer({ id: order.client_id, text: order.text, images: [], author: PERSON.id });
      case "abort":
        return session.abort(PERSON.id);
      case "compact":
        await session.compact(PERSON.id);
        return this.#watch(session).idle();
      case "patch":
        return session.patch({ title: order.title, approval_mode: order.mode }, PERSON.id);
      case "fork": {
        const at = { file_index: order.file, line: order.line };
        return forkSession(this.runtime.sessions.host, session, at, PERSON.id);
      }
    }
  }
}

/** The first start of a root also sets the model and the Agent up. */
async function prepare(runtime: Runtime, options: BareOptions): Promise<void> {
  const { default_model } = await runtime.models.view(DEFAULT_PROJECT);
  if (default_model?.provider === "strict") return;
  const path = runtime.layout.systemConfig(AGENT);
  const config = parse(await readFile(path, "utf8"));
  const compaction = { max_session_turns: options.turns, mode: "summarize", prompt: SUMMARY_PROMPT };
  await writeFile(path, stringify({ ...config, system_prompt: "You are tested.", compaction }));
  const model = { provider: "strict", model_id: "strict" };
  const entry = {
    ...model,
    client_type: "openai-chat" as const,
    base_url: options.provider,
    api_key: "sk-bare-runtime",
  };
  const body = { default_model: model, models: [{ ...entry, context_window: 1_000_000 }] };
  await runtime.models.put(DEFAULT_PROJECT, body, { admin: true });
}

/** Waits for its options; then runs until it is killed, or until whoever started it is gone. */
export async function bare(): Promise<never> {
  process.on("disconnect", () => process.exit(0));
  const options = bareOptions.parse(await new Promise((resolve) => process.once("message", resolve)));
  const config = {
    ...readConfig({ NODE_ENV: "production", PENGUIN_HOME: options.root }),
    workspaceRoots: [options.workspace],
  };
  const paths = layout(config.root);
  await mkdir(paths.root, { recursive: true, mode: 0o700 });
  const lock = takeLock({ own: paths.serverLock, foreign: paths.foreignLock }, 0);
  if (!lock.ok) throw new Error(`the lock is held by ${lock.holder.pid}`);
  await removeLeftovers(paths, { before: Number.POSITIVE_INFINITY });
  const runtime = await createRuntime(config, { env: {} });
  await prepare(runtime, options);
  const server = new Bare(runtime);
  process.on("message", (message) => {
    const { id, order } = request.parse(message);
    server.obey(order).then(
      (value) => say({ id, value: value ?? null }),
      (error: unknown) => say({ id, error: error instanceof AppError ? error.code : String(error) }),
    );
  });
  say({ ready: true });
  return new Promise(() => {});
}
