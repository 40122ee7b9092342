/** The tools of one Session: which there are, what the model is told about them, and how a call finds its tool. */

import { masked } from "../../lib/mask";
import type { ToolCallPayload, ToolSchema } from "../../lib/omni/message";
import type { Permission, Tools } from "../engine/ports";
import { guardedFetch } from "../net/guarded-fetch";
import type { AgentRef, Layout } from "../paths";
import { Confinement } from "../workspace/confine";
import type { Sandbox } from "../workspace/room";
import type { RoomNetwork } from "../workspace/room-plan";
import { commandEnvironment } from "../workspace/sandbox";
import { SessionRoom } from "../workspace/session-room";
import { type CommandEnded, CommandTable, type ProcessView } from "./command-table";
import { editFile } from "./edit-file";
import { execCommand } from "./exec-command";
import { frameCall, type Limits } from "./frame-call";
import { inputCommand } from "./input-command";
import { killCommand } from "./kill-command";
import { readFile } from "./read-file";
import { describeImage, readImage } from "./read-image";
import { planRoom } from "./room-places";
import type { DescribeImage, FetchWeb, Prepared, Tool, ToolSession } from "./tool";
import { writeFile } from "./write-file";

const BUILTIN: readonly Tool[] = [
  readFile,
  editFile,
  writeFile,
  execCommand,
  inputCommand,
  killCommand,
  readImage,
  describeImage,
];

/** Limits of a call that names no tool. */
const NO_TOOL: Limits = { timeoutMs: 0, maxOutputLength: 16_000 };

/** One entry of `tools.builtin` in system_config.yaml: which tool, and what differs from its definition. */
export interface ToolEntry {
  name: string;
  description?: string;
  parameters?: ToolSchema["parameters"];
  permission?: Permission;
  forModel?: "vision" | "text-only";
  timeoutMs?: number;
  maxOutputLength?: number;
  /** false: the model need not say what a call is for. */
  call_description?: boolean;
}

export interface ToolContext {
  layout: Layout;
  ref: AgentRef;
  sessionId: string;
  /** Real path, as `acceptWorkspace` gave it. */
  workspace: string;
  /** Does the model see images? */
  vision: boolean;
  /** The Agent's vault: given to commands, never shown. */
  env: Record<string, string>;
  /** May this Session read that Trace file or scratchpad (its own, its lineage, their children)? Gets a path below `layout.root`. */
  readableTraces?: (path: string) => boolean | Promise<boolean>;
  /** `Config.shell` */
  shell?: string;
  /** How commands are isolated; absent: they are not. */
  isolation?: { sandbox: Sandbox; network: RoomNetwork };
  /** Trace files and scratchpads, beside its own scratchpad, that this Session may read: for its room. */
  readableList?: () => Promise<string[]>;
  /** Replaces the whole list of tools; names without an implementation are left out. */
  entries?: readonly ToolEntry[];
  /** Absent: images cannot be described. */
  describeImage?: DescribeImage;
  /** Tools that need more than this room knows (subagents). */
  more?: readonly Tool[];
  /** A command in the background ended by itself and nobody was reading it. */
  commandEnded?: (ended: CommandEnded) => void;
  /** The number of commands in the background changed. */
  commandsChanged?: () => void;
  /** Fetches a picture from the web. Default: public addresses only. */
  fetchWeb?: FetchWeb;
  /** The server's own environment, of which commands inherit an allow-list. Default: process.env. */
  hostEnv?: Readonly<Record<string, string | undefined>>;
}

export interface SessionTools extends Tools {
  /** Ends everything this Session started; resolves when it is gone. */
  dispose(): Promise<void>;
  /** The same for the signal handler: SIGKILL at once, synchronous. */
  disposeNow(): void;
  /** Commands that still run, or whose children do, behind the call that started them. */
  processes(): ProcessView[];
  /** Ends a command with everything it started. False: there is no such command. */
  stopProcess(id: string): Promise<boolean>;
  /** The same, and forgets it with its output. */
  removeProcess(id: string): Promise<boolean>;
  /** What belongs in the room of the commands may have changed. */
  renewRoom?(): void;
  /** Are commands kept apart from the system? The interface says so when not. */
  readonly isolated: boolean;
}

function withoutCallDescription(parameters: ToolSchema["parameters"]): ToolSchema["parameters"] {
  const { properties, required, ...rest } = parameters ?? {};
  const kept = Object.entries(properties ?? {}).filter(([key]) => key !== "description");
  const needed = Array.isArray(required) ? required.filter((key) => key !== "description") : [];
  return { ...rest, properties: Object.fromEntries(kept), ...(needed.length > 0 && { required: needed }) };
}

function selectTools(ctx: ToolContext): Map<string, Tool> {
  const known = new Map([...BUILTIN, ...(ctx.more ?? [])].map((tool) => [tool.name, tool]));
  const wanted = ctx.entries ?? [...known.keys()].map((name): ToolEntry => ({ name }));
  const selected = new Map<string, Tool>();
  for (const { name, call_description, ...changes } of wanted) {
    const base = known.get(name);
    if (!base) continue;
    const given = Object.fromEntries(
      Object.entries(changes).filter(([, value]) => value !== undefined && value !== null),
    );
    const tool: Tool = { ...base, ...given };
    if (tool.forModel && (tool.forModel === "vision") !== ctx.vision) continue;
    if (call_description === false) tool.parameters = withoutCallDescription(tool.parameters);
    selected.set(name, tool);
  }
  return selected;
}

type Arguments = { ok: true; args: Record<string, unknown> } | { ok: false; why: string };

/** EN6: only a JSON object is ever executed; nothing at all counts as `{}`. */
function readArguments(text: string): Arguments {
  let args: unknown;
  try {
    args = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, why: `its arguments are not valid JSON (${why}). Send the whole call again.` };
  }
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return { ok: false, why: "its arguments must be one JSON object." };
  }
  return { ok: true, args: { ...args } };
}

function prepare(call: ToolCallPayload, tool: Tool): Prepared {
  const read = readArguments(call.arguments);
  return read.ok ? tool.prepare(read.args) : { ok: false, message: `${call.name} was not run: ${read.why}` };
}

/** A call that reaches out of the machine asks like a write, also with a tool that only reads. */
function permissionOf(tool: Tool | undefined, text: string): Permission | null {
  const read = tool?.reachesOut ? readArguments(text) : null;
  return read?.ok && tool?.reachesOut?.(read.args) ? "rw" : (tool?.permission ?? null);
}

function roomOf(ctx: ToolContext, confinement: Confinement, busy: () => boolean): SessionRoom | null {
  if (!ctx.isolation) return null;
  const needs = { ...ctx, ...ctx.isolation, confinement, readable: ctx.readableList ?? (async () => []) };
  return new SessionRoom(ctx.isolation.sandbox, () => planRoom(needs), busy);
}

export function createTools(ctx: ToolContext): SessionTools {
  const tools = selectTools(ctx);
  const schemas = [...tools.values()].map(
    ({ name, description, parameters }): ToolSchema => ({ name, description, parameters }),
  );
  const secrets = Object.values(ctx.env);
  const commands = new CommandTable({
    ended: (ended) => ctx.commandEnded?.({ ...ended, tail: masked(ended.tail, secrets) }),
    changed: () => ctx.commandsChanged?.(),
  });
  const confinement = new Confinement(ctx);
  const room = roomOf(ctx, confinement, () => commands.busy);
  const session: ToolSession = {
    layout: ctx.layout,
    ref: ctx.ref,
    sessionId: ctx.sessionId,
    confinement,
    commands,
    enterRoom: async () => (room ? room.enter() : null),
    shell: ctx.shell,
    describeImage: ctx.describeImage,
    fetchWeb: ctx.fetchWeb ?? guardedFetch,
    secrets,
    commandEnv: () => {
      const dirs = { home: ctx.layout.sharedHome(ctx.ref), tmp: ctx.layout.sessionTmp(ctx.ref, ctx.sessionId) };
      return commandEnvironment(ctx.hostEnv ?? process.env, dirs, ctx.env);
    },
  };
  return {
    schemas: () => schemas,
    permission: (call) => permissionOf(tools.get(call.name), call.arguments),
    run(call, signal) {
      const tool = tools.get(call.name);
      const prepared: Prepared = tool
        ? prepare(call, tool)
        : { ok: false, message: `Unknown tool: ${call.name.slice(0, 200)}` };
      return frameCall({ call, prepared, limits: tool ?? NO_TOOL, session, signal });
    },
    dispose: async () => {
      await commands.dispose();
      room?.end();
    },
    disposeNow: () => {
      commands.disposeNow();
      room?.end();
    },
    renewRoom: () => room?.renew(),
    processes: () => commands.views(),
    stopProcess: (id) => commands.stop(id),
    removeProcess: async (id) => {
      const found = await commands.stop(id);
      commands.remove(id);
      return found;
    },
    isolated: room !== null,
  };
}
