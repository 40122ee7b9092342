/**
 * Gathers the parts of a Session: what its Trace says, and what a Task needs to run. The only file that knows the
 * concrete model adapters and tools. Opening reads; it writes nothing (RS4).
 */
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAppError } from "../../lib/api/errors";
import type { Recovery } from "../../lib/api/frames";
import type { SessionRef } from "../../lib/api/routes";
import type { ModelRef } from "../../lib/api/schemas";
import { event, model, sessionMeta } from "../../lib/omni/build";
import { isEventOf, isOwn, isPayloadOf } from "../../lib/omni/guards";
import type {
  AddressedMessage,
  OmniMessage,
  SessionMetaPayload,
  ToolCallPayload,
  ToolSchema,
} from "../../lib/omni/message";
import { type Resumed, resume, rotatedMeta, summaryText, usageMissing } from "../../lib/trace/resume";
import type { Agents } from "../agent/agent";
import type { Config } from "../config";
import type { Llm } from "../engine/ports";
import type { EngineState } from "../engine/state";
import { createLlm } from "../llm/adapters";
import { publicFetch } from "../net/public-fetch";
import type { AgentRef, Layout } from "../paths";
import type { Veto } from "../project/command-policy";
import type { Models, ResolvedModel } from "../project/models";
import { createTools, type SessionTools, type ToolContext } from "../tools/registry";
import type { LoadedFile, TraceFileRef, TraceStore } from "../trace/store";
import { TraceWriter } from "../trace/writer";
import type { Budgets } from "../usage/budgets";
import type { Sandbox } from "../workspace/room";
import type { RoomNetwork } from "../workspace/room-plan";
import { DEFAULT_SETTINGS, infoRecord, type ProjectDefaults, type SessionSettings, settingsOf } from "./info";
import { type Earlier, earlierOf } from "./prior";

/** What Sessions are made of; tests give their own model and tools. */
export interface SessionHost {
  layout: Layout;
  store: TraceStore;
  agents: Pick<Agents, "config" | "systemPrompt" | "vault"> & Partial<Pick<Agents, "view">>;
  models: Pick<Models, "resolve" | "defaultModel"> &
    Partial<Pick<Models, "visionModel" | "thinkingLevel" | "knowsProvider">>;
  /** Folders below which a Workspace may lie, for this Project. */
  workspaceRoots(project: string): Promise<string[]>;
  /** What the Project sets for its Sessions. */
  defaults?(project: string): Promise<ProjectDefaults>;
  shell: string | undefined;
  /** Are Sessions given a title by their model? Absent: no. */
  autoTitle?: boolean;
  /** How long a subagent may work at a stretch; absent: four hours. */
  childLimitMs?: number;
  createLlm(model: ResolvedModel, usedToolCallIds: Iterable<string>): Llm;
  /** Asked before each model call, and told what is deleted; absent: nothing is limited. */
  budgets?: Pick<Budgets, "check" | "deleting">;
  /** How the commands of a Project are isolated; absent or undefined: they are not. */
  isolation?(project: string): Promise<{ sandbox: Sandbox; network: RoomNetwork } | undefined>;
  /** Is a call refused by a rule of the Project, whoever would allow it? Absent: there are no rules. */
  veto?(project: string, call: ToolCallPayload): Promise<Veto | null>;
  createTools(context: ToolContext): SessionTools;
}

export interface HostParts {
  config: Config;
  layout: Layout;
  traces: TraceStore;
  agents: Agents;
  models: Models;
  budgets: Budgets;
  extraRoots(project: string): Promise<string[]>;
  defaults(project: string): Promise<ProjectDefaults>;
  isolation: NonNullable<SessionHost["isolation"]>;
  veto(project: string, call: ToolCallPayload): Promise<Veto | null>;
}

/** The host of the running server. */
export function serverHost(parts: HostParts): SessionHost {
  const { config, layout, traces, agents, models, budgets, extraRoots, defaults, isolation, veto } = parts;
  return {
    layout,
    store: traces,
    agents,
    models,
    defaults,
    isolation,
    veto,
    budgets,
    workspaceRoots: async (project) => {
      const own = config.workspaceRoots;
      const extra = await extraRoots(project);
      // Added folders come beside the default, not instead of it.
      return extra.length > 0 && own.length === 0 ? [homedir(), ...extra] : [...own, ...extra];
    },
    shell: config.shell,
    autoTitle: config.autoTitle,
    createLlm: (model, usedToolCallIds) =>
      createLlm(model, { usedToolCallIds, ...(model.public_only ? { fetch: publicFetch() } : {}) }),
    createTools,
  };
}

export const refOfAgent = (ref: SessionRef): AgentRef => ({ project: ref.project, agent: ref.agent });

/** What a Session continues with. */
export interface Loaded {
  meta: SessionMetaPayload;
  settings: SessionSettings;
  /** Of the newest file. */
  records: AddressedMessage[];
  writer: TraceWriter;
  engine: EngineState;
  /** What the next write puts first. */
  head: OmniMessage[];
  /** The context is closed: the next write goes to a new file. */
  rotateFirst: boolean;
  clientIds: string[];
  callIds: string[];
  /** Sums over the files before the newest. */
  earlier?: Earlier;
  /** Records of those files, as far back as they were read; nobody keeps them. */
  before?: AddressedMessage[];
  recovery?: Recovery;
  /** Why its Trace cannot be continued. */
  problem?: Problem;
}
/**
 * Reads the newest Trace file, and the one before it for what that one's head lacks and its idempotency keys. null:
 * there is none. A Trace that cannot be continued still loads, with its `problem`: reading always works.
 */
export async function loadSession(host: SessionHost, ref: SessionRef): Promise<Loaded | null> {
  const agent = refOfAgent(ref);
  const found = await host.store.files(agent, ref.session);
  const files = await neededFiles(host, ref, found);
  const newest = found.at(-1);
  const file = files.at(-1);
  if (!newest || !file) return null;
  const writer = TraceWriter.resume(host.layout, agent, ref.session, newest, file);
  const resumed = resume(files);
  if (!resumed.ok) return unrecoverable(ref, file, writer, resumed.message);
  const settings = settingsOf(await trustedInfo(host, ref, resumed), await host.defaults?.(ref.project));
  const recovery = recoveryOf(files, resumed);
  const before = files.slice(0, -1).flatMap(({ records }) => records);
  return {
    meta: resumed.meta,
    settings,
    records: file.records,
    writer,
    engine: engineState(resumed, file.records),
    head: headOf(resumed, settings),
    rotateFirst: resumed.context_closed,
    clientIds: resumed.client_ids,
    callIds: [...calledIn(before), ...resumed.tool_call_ids],
    earlier: earlierOf(before),
    before,
    ...(recovery ? { recovery } : {}),
  };
}

/** Older files up to so many bytes are read for their sums. */
const EARLIER_BYTES = 16 * 1024 * 1024;

/** The newest two; further ones while no file tells the token sums, and for other sums as long as they are small. */
async function neededFiles(host: SessionHost, ref: SessionRef, found: TraceFileRef[]): Promise<LoadedFile[]> {
  const files: LoadedFile[] = [];
  let read = 0;
  for (const [age, { index, bytes }] of found.toReversed().entries()) {
    read += age === 0 ? 0 : bytes;
    if (age >= 2 && read > EARLIER_BYTES && !usageMissing(files)) break;
    const file = await host.store.read(refOfAgent(ref), ref.session, index);
    if (file) files.unshift(file);
  }
  return files;
}

/** Ids stay unique within a Session: recovery files of outputs are called by them. */
function calledIn(records: AddressedMessage[]): string[] {
  return records.flatMap(({ message }) =>
    isOwn(message) && isPayloadOf(message, "tool_call") ? [String(message.payload.tool_call_id)] : [],
  );
}

function unrecoverable(ref: SessionRef, file: LoadedFile, writer: TraceWriter, message: string): Loaded {
  const meta = file.records.find(({ message: record }) => record.type === "session_meta")?.message;
  return {
    meta: meta?.type === "session_meta" ? meta.payload : { session_id: ref.session },
    settings: DEFAULT_SETTINGS,
    records: file.records,
    writer,
    engine: freshEngine(),
    head: [],
    rotateFirst: false,
    clientIds: [],
    callIds: [],
    problem: { code: "session_unrecoverable", message },
  };
}

/** The loop's state of a Session without a past. */
export function freshEngine(): EngineState {
  return {
    history: [],
    carry_over: [],
    refused: [],
    pending_summary: null,
    session_tokens: { cache_read: 0, cache_write: 0, output: 0, total: 0 },
    last_request_total: 0,
    session_turns: 0,
    tool_list: "[]",
    quick_compactions: 0,
  };
}

/** Settings inside imported bytes are not trusted; the catalog knows where those end. */
async function trustedInfo(host: SessionHost, ref: SessionRef, resumed: Resumed) {
  const facts = await host.store.session(refOfAgent(ref), ref.session);
  return facts?.imported ? facts.info : resumed.info;
}

function engineState(resumed: Resumed, records: AddressedMessage[]): EngineState {
  return {
    history: resumed.history,
    carry_over: resumed.carry_over,
    refused: resumed.refused_last,
    pending_summary: resumed.pending_summary,
    session_tokens: resumed.session_tokens,
    last_request_total: resumed.last_request_total,
    session_turns: resumed.session_turns,
    tool_list: JSON.stringify(announcedTools(resumed, records)),
    quick_compactions: 0,
  };
}

/** The list that this file says is being sent; a new file starts from the meta again. */
function announcedTools(resumed: Resumed, records: AddressedMessage[]): ToolSchema[] {
  const inMeta = resumed.meta.tools ?? [];
  if (resumed.context_closed) return inMeta;
  const last = records.findLast(({ message }) => isEventOf(message, "tool_list_ready"))?.message;
  return last && isEventOf(last, "tool_list_ready") ? last.payload.tools : inMeta;
}

/** 2.2, RS4, RS6: a new file's head, or what a cut-off head lacks, or the end of a compaction that a crash cut off. */
function headOf(resumed: Resumed, settings: SessionSettings): OmniMessage[] {
  if (resumed.context_closed) return contextHead(resumed.meta, resumed.pending_summary, settings);
  const dangling = resumed.dangling_compaction;
  if (!dangling) return resumed.missing_head;
  const { reason, mode } = dangling;
  const error_message = "process exited during the compaction";
  return [
    ...resumed.missing_head,
    event({ type: "compaction_end" as const, reason, mode, status: "failed" as const, error_message }),
  ];
}

/** 2.2: how the file of a context begins that another one made room for; `summary` null: a discard. */
export function contextHead(
  meta: SessionMetaPayload,
  summary: string | null,
  settings: SessionSettings,
): OmniMessage[] {
  const told = summary === null ? [] : [model(summaryText(summary))];
  return [sessionMeta(rotatedMeta(meta)), ...told, infoRecord(settings)];
}

function recoveryOf(files: LoadedFile[], resumed: Resumed): Recovery | null {
  const damaged = files.flatMap((file) =>
    file.damaged.filter((line) => !line.last).map(({ line, error }) => ({ file_index: file.file_index, line, error })),
  );
  return damaged.length > 0 || resumed.interrupted ? { damaged, interrupted: resumed.interrupted } : null;
}

// ---- what a Task needs --------------------------------------------------------------------------------------------

export interface Problem {
  code: "model_missing" | "model_forbidden" | "workspace_missing" | "session_unrecoverable";
  message: string;
  details?: Record<string, unknown>;
}

/** Why a Session cannot go on, from outside of its Trace; null: it can. */
export async function problemOf(host: SessionHost, project: string, meta: SessionMetaPayload): Promise<Problem | null> {
  const { provider = "", model_id = "", workspace = "" } = meta;
  const pair = { provider, model_id };
  try {
    if (!(await host.models.resolve(project, provider, model_id))) return await missingModel(host, project, pair);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { code: "model_forbidden", message: `${model_id} of ${provider}: ${error.message}`, details: pair };
  }
  if (await isDirectory(workspace)) return null;
  return { code: "workspace_missing", message: `The Workspace ${workspace} no longer exists.` };
}

/** Names what is gone: the whole provider, or this model of it. */
async function missingModel(host: SessionHost, project: string, pair: ModelRef): Promise<Problem> {
  const { provider, model_id } = pair;
  const known = (await host.models.knowsProvider?.(project, provider)) ?? true;
  const what = known
    ? `The model ${model_id} is no longer among the models of ${provider} in this Project.`
    : `The provider ${provider} is no longer set up in this Project, and with it the model ${model_id}.`;
  return {
    code: "model_missing",
    message: `${what} Use /model to go on with another one; adding it again on the Models page brings this one back.`,
    details: { ...pair, missing: known ? "model" : "provider" },
  };
}

async function isDirectory(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => null);
  return info?.isDirectory() ?? false;
}
