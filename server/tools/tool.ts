/** What a tool is: a name, its parameters, and one function. The registry does the rest. */
import { z } from "zod";
import type { ToolCallPayload, ToolSchema } from "../../lib/omni/message";
import type { Permission } from "../engine/ports";
import type { Fetched, GuardedLimits } from "../net/guarded-fetch";
import type { AgentRef, Layout } from "../paths";
import type { Confinement } from "../workspace/confine";
import type { MadeRoom } from "../workspace/room";
import type { CommandTable } from "./command-table";

export interface ToolResult {
  /** The tool says itself that it did not succeed. */
  failed?: boolean;
  /** Stands after the output, outside its limit. */
  note?: string;
  /** data URLs; kept only when the call completed. */
  images?: string[];
}

/** What one call is given. */
export interface ToolRun {
  call: ToolCallPayload;
  /** Aborts when a person stops the Task, and when the time is over. */
  signal: AbortSignal;
  /** Adds to the output. */
  out(text: string): void;
  /** Milliseconds; Infinity: none. */
  timeoutMs: number;
  /** Characters the registry will keep; Infinity: all. */
  maxOutputLength: number;
  session: ToolSession;
}

/** A picture (data URL) in words, by a model that sees. */
export type DescribeImage = (
  dataUrl: string,
  prompt: string | undefined,
  signal: AbortSignal,
) => Promise<{ ok: true; text: string } | { ok: false; message: string }>;

/** GET of a web address; never throws. */
export type FetchWeb = (address: string, limits: GuardedLimits) => Promise<Fetched>;

/** What the tools of one Session share. */
export interface ToolSession {
  layout: Layout;
  ref: AgentRef;
  sessionId: string;
  confinement: Confinement;
  commands: CommandTable;
  /** The complete environment of a command. */
  commandEnv(): Record<string, string>;
  /** Values of the vault: never shown (AC3). */
  secrets: string[];
  shell: string | undefined;
  /** The room of this Session; null: its commands are not isolated. */
  enterRoom(): Promise<MadeRoom | null>;
  describeImage: DescribeImage | undefined;
  fetchWeb: FetchWeb;
}

interface ToolFacts {
  name: string;
  description: string;
  permission: Permission;
  /** Milliseconds; <= 0: no limit. */
  timeoutMs: number;
  /** Characters; <= 0: no limit. */
  maxOutputLength: number;
  /** Offered to models of this kind only. */
  forModel?: "vision" | "text-only";
}

export type Prepared = { ok: true; start(run: ToolRun): Promise<ToolResult> } | { ok: false; message: string };

/** A tool with its parameter types erased: arguments are checked and bound in one step. */
export interface Tool extends ToolFacts {
  parameters: ToolSchema["parameters"];
  /** Does a call with these arguments do more than read, whatever the tool is taken for? Never throws. */
  reachesOut?(args: Record<string, unknown>): boolean;
  prepare(args: Record<string, unknown>): Prepared;
}

/** Asked for in the schema, so that a person sees what a command is for; a call without it runs all the same. */
const callDescription = z
  .string()
  .optional()
  .describe("One short sentence for the person who approves: what this does and why.");

export interface ToolDefinition<P extends z.ZodRawShape> extends ToolFacts {
  params: P;
  /** The model must say what the call is for. */
  describeCall?: boolean;
  reachesOut?: Tool["reachesOut"];
  run(args: z.output<z.ZodObject<P>>, run: ToolRun): Promise<ToolResult>;
}

/** JSON Schema as sent to the model, built once per tool. */
function parametersOf(params: z.ZodObject, describeCall: boolean): ToolSchema["parameters"] {
  const { $schema: _, ...schema } = z.toJSONSchema(params, { io: "input" });
  if (!describeCall) return schema;
  return {
    ...schema,
    properties: { description: { type: "string", description: callDescription.description }, ...schema.properties },
    required: ["description", ...(schema.required ?? [])],
  };
}

/** "cmd: Invalid input: expected string", one line per fault. */
function explain(error: z.ZodError): string {
  return error.issues.map((issue) => `- ${issue.path.join(".") || "arguments"}: ${issue.message}`).join("\n");
}

export function defineTool<P extends z.ZodRawShape>(definition: ToolDefinition<P>): Tool {
  const { params, describeCall = false, run, ...facts } = definition;
  const schema = z.object(params);
  return {
    ...facts,
    parameters: parametersOf(schema, describeCall),
    prepare(args) {
      // Models write null for "not given".
      const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
      const parsed = schema.safeParse(given);
      if (!parsed.success) {
        return { ok: false, message: `The arguments of ${facts.name} are not valid:\n${explain(parsed.error)}` };
      }
      return { ok: true, start: (context) => run(parsed.data, context) };
    },
  };
}
