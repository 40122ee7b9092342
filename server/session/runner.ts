/** What one Task runs with, gathered anew for each: current model entry, Agent config and vault; tools outlive a Task. */
import { AppError } from "../../lib/api/errors";
import type { StateFrame } from "../../lib/api/frames";
import type { SessionRef } from "../../lib/api/routes";
import type {
  CompleteMessage,
  EventMessage,
  OmniMessage,
  SessionMetaPayload,
  ThinkingLevel,
  ToolCallPayload,
} from "../../lib/omni/message";
import type { AgentConfig } from "../agent/config";
import { compactionThreshold } from "../engine/compaction-plan";
import { runGoal } from "../engine/goal";
import type { Steering } from "../engine/inbox";
import type { Llm } from "../engine/ports";
import type { Stamp } from "../engine/request";
import type { CompactionSettings, EngineState, TaskDeps } from "../engine/state";
import { runTask, type TaskOutcome } from "../engine/task";
import { movedEndpoint, withoutFidelity } from "../llm/endpoint";
import type { ResolvedModel } from "../project/models";
import type { SessionTools, ToolContext } from "../tools/registry";
import type { Tool } from "../tools/tool";
import type { ScratchpadPlace } from "./attachments";
import { commandReport } from "./command-report";
import { imageDescriber } from "./describe";
import { startGoal } from "./goal";
import { foldedText, inputRecords } from "./input";
import { readableList, readablePaths } from "./lineage";
import { problemOf, refOfAgent, type SessionHost } from "./open";
import type { NewTask } from "./run";
import { taskLlm } from "./spend";
import { textOf } from "./state-frames";

export interface Gathered {
  model: ResolvedModel;
  llm: Llm;
  tools: SessionTools;
  config: AgentConfig;
  /** Does the model see images? */
  vision: boolean;
  stamp: Stamp;
}

const DEFAULT_THINKING: ThinkingLevel = "medium";

/** What tools need of their Session. */
export interface RunnerParts {
  subagents: { tools(): Tool[] };
  report(text: string): void;
  /** Something that the state frame tells has changed: commands in the background, what a moved model is not sent. */
  changed(): void;
  /** Records what a model call beside the Tasks cost. */
  spent(usage: EventMessage): Promise<void>;
}

export class Runner {
  #tools: SessionTools | null = null;
  #toolsKey = "";
  /** Where the last Task's Requests went, and with which key. */
  #credential = "";
  /** Who started the Task that runs, or ran last. */
  user: string | undefined;
  /** The model has moved, and something was left out for that; null: no. */
  moved: StateFrame["moved"] | null = null;
  /** How hard it thinks, or thought last. */
  thinking: ThinkingLevel | null = null;

  constructor(
    private readonly host: SessionHost,
    private readonly ref: SessionRef,
    private readonly parts: RunnerParts,
  ) {}

  /** Throws `model_missing`, `workspace_missing` or `bad_request` (the Agent's config cannot be used). */
  async gather(
    meta: SessionMetaPayload,
    user: string | undefined,
    usedToolCallIds: Iterable<string>,
  ): Promise<Gathered> {
    const problem = await problemOf(this.host, this.ref.project, meta);
    if (problem) throw new AppError(problem.code, problem.message, problem.details);
    const model = await this.host.models.resolve(this.ref.project, meta.provider ?? "", meta.model_id ?? "");
    if (!model) throw new AppError("model_missing");
    const agent = refOfAgent(this.ref);
    const loaded = await this.host.agents.config(agent);
    if (!loaded.ok) throw new AppError("bad_request", `The Agent's config cannot be used. ${loaded.message}`);
    const vision = model.vision !== false;
    this.user = user;
    this.noteCredential(model);
    return {
      model,
      llm: this.#llm(model, meta, usedToolCallIds),
      tools: await this.#toolsFor(meta, loaded.config, vision),
      config: withThinking(loaded.config, await this.host.models.thinkingLevel?.(this.ref.project)),
      vision,
      stamp: { ...(model.pricing ? { price: model.pricing } : {}), ...(user ? { user } : {}) },
    };
  }

  /** RS8: opaque data goes to the endpoint that wrote it; to another one the conversation goes without it. */
  #llm(model: ResolvedModel, meta: SessionMetaPayload, usedToolCallIds: Iterable<string>): Llm {
    const llm = taskLlm(this.host, this.ref, model, () => this.user, usedToolCallIds);
    const moved = movedEndpoint(meta.endpoint, model.base_url);
    if (!moved) this.moved = null;
    if (!moved) return llm;
    return withoutFidelity(llm, () => {
      this.moved = moved;
      this.parts.changed();
    });
  }

  get #scratchpad(): ScratchpadPlace {
    return { layout: this.host.layout, ref: refOfAgent(this.ref), session: this.ref.session };
  }

  /** Steering as its model can take it: images are stored for one that does not see. */
  async steering(message: Steering, { provider = "", model_id = "" }: SessionMetaPayload): Promise<Steering> {
    if (message.images.length === 0) return message;
    const model = await this.host.models.resolve(this.ref.project, provider, model_id);
    if (model?.vision !== false) return message;
    return { ...message, folded: await foldedText(message.text, message.images, this.#scratchpad) };
  }

  /** What a Task does: its prompt, or a goal in rounds. Throws when the goal file cannot be written. */
  async work(
    task: NewTask,
    state: EngineState,
    input: CompleteMessage[],
    deps: TaskDeps,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<OmniMessage, TaskOutcome, void>> {
    if (!task.goal) return runTask(state, input, deps, signal);
    const goal = await startGoal(this.host.layout, this.ref, textOf(task.parts), task.goal.budget);
    return runGoal(state, input, goal, deps, signal);
  }

  /** The records of a new Task's prompt. A goal's images become paths: they are needed in every round. */
  input({ parts, id, sender, author, goal }: NewTask, { vision }: Gathered): Promise<CompleteMessage[]> {
    return inputRecords(parts, {
      scratchpad: this.#scratchpad,
      vision: vision && !goal,
      client_id: id,
      ...(sender ? { sender } : author ? { author } : {}),
    });
  }

  /** The last Task, here or in an earlier process, went there. */
  noteCredential(model: ResolvedModel): void {
    this.#credential = credentialOf(model);
  }
  /** Did the last Task go to the same place with the same key? */
  usedCredential(model: ResolvedModel): boolean {
    return this.#credential === credentialOf(model);
  }

  /** Running commands belong to the tools that started them: those stay as long as there are any. */
  async #toolsFor(meta: SessionMetaPayload, config: AgentConfig, vision: boolean): Promise<SessionTools> {
    const env = await this.host.agents.vault(refOfAgent(this.ref));
    const isolation = await this.host.isolation?.(this.ref.project);
    const key = JSON.stringify([config.tools, vision, env, isolation?.network, isolation !== undefined]);
    if (this.#tools && (key === this.#toolsKey || this.#tools.processes().length > 0)) {
      this.#tools.renewRoom?.();
      return this.#tools;
    }
    await this.#tools?.dispose();
    const context: ToolContext = {
      layout: this.host.layout,
      ref: refOfAgent(this.ref),
      sessionId: this.ref.session,
      workspace: meta.workspace ?? "",
      vision,
      env,
      describeImage: imageDescriber(this.host, this.ref, () => this.user, this.parts.spent),
      readableTraces: await readablePaths(this.host, this.ref, meta),
      ...(isolation ? { isolation, readableList: () => readableList(this.host, this.ref, meta) } : {}),
      // One level deep: a subagent starts none.
      more: meta.source === "subagent" ? [] : this.parts.subagents.tools(),
      commandEnded: (ended) => this.parts.report(commandReport(ended)),
      commandsChanged: () => this.parts.changed(),
      ...(this.host.shell ? { shell: this.host.shell } : {}),
      ...(config.tools ? { entries: config.tools } : {}),
    };
    this.#toolsKey = key;
    this.#tools = this.host.createTools(context);
    return this.#tools;
  }

  /** Commands of this Session that still run. */
  get busy(): boolean {
    return this.commands > 0;
  }
  get commands(): number {
    return this.#tools?.processes().length ?? 0;
  }
  get processes(): Pick<SessionTools, "processes" | "stopProcess" | "removeProcess"> | null {
    return this.#tools;
  }
  permission(call: ToolCallPayload) {
    return this.#tools?.permission(call) ?? null;
  }
  async dispose(): Promise<void> {
    await this.#tools?.dispose();
    this.#tools = null;
  }
  disposeNow(): void {
    this.#tools?.disposeNow();
  }
}

const credentialOf = ({ client_type, base_url, api_key }: ResolvedModel) =>
  JSON.stringify([client_type, base_url, api_key]);

/** What the loop is given of all this; `thinking` as chosen for this run. */
export function portsOf(
  { llm, tools, config, model, stamp }: Gathered,
  meta: SessionMetaPayload,
  thinking_level: ThinkingLevel,
): Omit<TaskDeps, "approve" | "inbox" | "retry"> {
  const limit = maxTokens(model, config);
  return {
    llm,
    tools,
    stamp: () => stamp,
    system_prompt: meta.system_prompt ?? "",
    thinking_level,
    idle_timeout_ms: config.model.timeout_ms,
    max_turns: config.max_turns,
    compaction: compactionOf(model, config, meta),
    ...(limit === undefined ? {} : { max_tokens: limit }),
    ...(model.context_window === undefined ? {} : { context_window: model.context_window }),
  };
}

/** The model's own limit wins; a limit of <= 0 means that none is sent. */
function maxTokens(model: ResolvedModel, config: AgentConfig): number | undefined {
  const limit = model.max_tokens ?? config.model.max_tokens;
  return limit > 0 ? limit : undefined;
}

function compactionOf(
  model: ResolvedModel,
  { compaction }: AgentConfig,
  { tools = [] }: SessionMetaPayload,
): CompactionSettings | null {
  if (!compaction) return null;
  const { mode, prompt, max_context_length, max_session_turns } = compaction;
  return {
    mode,
    prompt,
    threshold: compactionThreshold(max_context_length, model.context_window),
    max_turns: max_session_turns,
    meta_tools: JSON.stringify(tools),
  };
}

/** The Project's level stands in for its Agents' own. */
function withThinking(config: AgentConfig, level: ThinkingLevel | null | undefined): AgentConfig {
  return level ? { ...config, model: { ...config.model, thinking_level: level } } : config;
}

/** The Task's own choice, the Session's, the Project's, the Agent's, else medium. */
export function thinkingOf(
  chosen: ThinkingLevel | undefined,
  session: ThinkingLevel | null,
  config: AgentConfig,
): ThinkingLevel {
  return chosen ?? session ?? config.model.thinking_level ?? DEFAULT_THINKING;
}
