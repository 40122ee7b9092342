/** Bodies of requests (zod: they enter from outside) and shapes of answers (types). Browser code imports only types. */
import { z } from "zod";
import type { ClientType } from "../model/protocol";
import type {
  AddressedMessage,
  ApprovalMode,
  OmniMessage,
  PriceStamp,
  ThinkingLevel,
  ToolCallPayload,
  Visibility,
} from "../omni/message";
import { approvalMode, thinkingLevel, visibility } from "../omni/message";
import type { RunState } from "./frames";

export const modelRef = z.strictObject({ provider: z.string().min(1), model_id: z.string().min(1) });
export type ModelRef = z.infer<typeof modelRef>;
const clientId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const sourceRef = z.strictObject({ agent: z.string(), session_id: z.string() });

/** POST sessions */
export const createSessionBody = z.strictObject({
  model: modelRef.optional(),
  /** null: a temporary one, also when the source of a switch lost its own. */
  workspace: z.string().min(1).nullable().optional(),
  approval_mode: approvalMode.optional(),
  thinking_level: thinkingLevel.optional(),
  client_id: clientId.optional(),
  switched_from: sourceRef.optional(),
  handoff_from: sourceRef.optional(),
});
export type CreateSessionBody = z.infer<typeof createSessionBody>;

/** PATCH session: `session_info` values. `model` and `workspace` are known so that they can be refused as `locked`. */
export const patchSessionBody = z.strictObject({
  title: z.string().trim().min(1).max(120).nullable().optional(),
  archived: z.boolean().optional(),
  approval_mode: approvalMode.optional(),
  thinking_level: thinkingLevel.nullable().optional(),
  visibility: visibility.optional(),
  model: z.unknown().optional(),
  workspace: z.unknown().optional(),
});
export type PatchSessionBody = z.infer<typeof patchSessionBody>;

export const inputPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().min(1) }),
  z.strictObject({ type: z.literal("image"), data_url: z.string().startsWith("data:image/") }),
  z.strictObject({
    type: z.literal("file"),
    name: z.string().min(1).max(255),
    data_url: z.string().startsWith("data:"),
  }),
]);
export type InputPart = z.infer<typeof inputPart>;

/** POST tasks */
export const createTaskBody = z.strictObject({
  input: z.array(inputPart).min(1).max(40),
  client_id: clientId.optional(),
  queue: z.boolean().optional(),
  thinking_level: thinkingLevel.optional(),
  /** `budget`: tokens; -1 or absent: no limit. */
  goal: z.strictObject({ budget: z.union([z.number().int().positive(), z.literal(-1)]).optional() }).optional(),
  /** The one confirmation that an imported Session needs (`import_unconfirmed`). */
  confirm_import: z.boolean().optional(),
  model: z.unknown().optional(),
  workspace: z.unknown().optional(),
});
export type CreateTaskBody = z.infer<typeof createTaskBody>;

/** A Session of a Project: `<agent>/<session>`. */
const sessionKey = z.string().regex(/^[A-Za-z0-9_-]{1,128}\/[A-Za-z0-9_-]{1,128}$/);
const isoTime = z.iso.datetime();
/** PATCH marks: what a person pinned and has seen; each member changes what it names only. */
export const patchMarksBody = z.strictObject({
  pin: sessionKey.optional(),
  unpin: sessionKey.optional(),
  /** Seen up to this time. */
  seen: z.record(sessionKey, isoTime).optional(),
  unread: sessionKey.optional(),
  /** Everything up to this time counts as seen. */
  read_before: isoTime.optional(),
});
export type PatchMarksBody = z.infer<typeof patchMarksBody>;

export const steerBody = z.strictObject({
  text: z.string(),
  images: z.array(z.string()).max(20).optional(),
  client_id: clientId.optional(),
});
export const decisionBody = z.strictObject({ decision: z.enum(["allow", "deny"]) });
export const forkBody = z.strictObject({ file_index: z.number().int().min(1), line: z.number().int().min(1) });
export const createAgentBody = z.strictObject({ id: z.string(), name: z.string().trim().min(1).max(80).optional() });
export const patchAgentBody = z.strictObject({
  name: z.string().trim().min(1).max(80).optional(),
  description: z.string().trim().max(1_000).optional(),
});

// ---- answers ------------------------------------------------------------------------------------------------------

export type Role = "owner" | "member" | "viewer";

/** Of one person, in every browser. What is absent follows the browser. */
export interface Preferences {
  language?: string;
  theme?: string;
}

export interface Me {
  user: { id: string; name: string; admin: boolean; password_is_initial: boolean; has_password: boolean };
  projects: { id: string; name: string; role: Role }[];
  preferences: Preferences;
}

/** What an entry may leave to the catalog. */
export type CatalogField = "context_window" | "max_tokens" | "vision" | "pricing";

export interface ModelView {
  provider: string;
  model_id: string;
  display_name?: string;
  client_type: ClientType;
  /** Values in its query are shown as `***`. */
  base_url?: string;
  /** Where requests really go, shown likewise: the entry's own address, else its vendor's. */
  address?: string;
  context_window?: number;
  max_tokens?: number;
  vision?: boolean;
  pricing?: PriceStamp;
  /** Values that the entry leaves open and the catalog fills. */
  from_catalog?: CatalogField[];
  /** Stored here, or in the environment. */
  has_key: boolean;
  /** Masked, for owners; absent when none is stored. */
  api_key_masked?: string;
  /** ISO time at which the key was stored; for owners. */
  key_created_at?: string;
  /** Environment variable from which the key comes when none is stored; for owners. */
  env_key?: string;
  is_default: boolean;
  /** Looks at images for models that do not see. */
  is_vision_model?: boolean;
  /** The built-in demo model: not a real model, and it says so. */
  demo?: boolean;
}
export interface ModelsView {
  default_model: ModelRef | null;
  vision_model: ModelRef | null;
  /** Of Sessions and Agents that choose none. */
  thinking_level: ThinkingLevel | null;
  models: ModelView[];
  /** What the config file says that cannot be used; for owners. Saving keeps it as it is. */
  problems?: ModelProblem[];
}
/** An entry of the config file. Its values are not repeated: they may be keys. */
export interface ModelProblem {
  /** 1-based; 0: all of them. */
  entry: number;
  /** Absent: nothing that names a model. */
  model?: ModelRef;
  /** Members that are ignored. Without `model` the whole entry is. */
  fields: string[];
}
/** A model as its endpoint lists it. */
export interface ListedModel {
  id: string;
  display_name?: string;
  context_window?: number;
  max_tokens?: number;
  vision?: boolean;
  pricing?: PriceStamp;
}
export interface FoundProtocol {
  client_type: ClientType;
  base_url: string;
  /** Empty: the endpoint does not list any, or wants a key first. */
  models: ListedModel[];
}
/** What an address was found to speak, the most likely first. Nothing found is an answer, not an error. */
export interface DetectResult {
  found: FoundProtocol[];
  needs_key: boolean;
  /** What stands in the way, in the provider's words where it has some. */
  message?: string;
}
/** A model server on the machine this server runs on. */
export interface LocalServer {
  name: string;
  client_type: ClientType;
  base_url: string;
  models: ListedModel[];
}
/** What would lose its model. */
export interface ModelUses {
  sessions: number;
  /** Of these: not archived, and active in the last 30 days. */
  recent: number;
}
/** A failed probe is an answer, not an error. */
export interface ModelTestResult {
  ok: boolean;
  latency_ms?: number;
  /** Time to first token. */
  ttft_ms?: number;
  tokens_per_s?: number;
  message?: string;
}

export interface AgentView {
  id: string;
  name: string;
  description?: string;
}

export interface TraceFileView {
  index: number;
  /** Folder, local yyyy-mm-dd. */
  date: string;
  bytes: number;
}

/** A Session as lists and its own page show it. */
/** A command that runs in the background. */
export interface ProcessView {
  process_id: string;
  cmd: string;
  /** ISO 8601 */
  started_at: string;
  isolated: boolean;
}

export interface SessionView {
  id: string;
  project: string;
  agent: string;
  provider: string;
  model_id: string;
  context_window?: number;
  workspace: string;
  title: string | null;
  archived: boolean;
  approval_mode: ApprovalMode;
  thinking_level: ThinkingLevel | null;
  visibility: Visibility;
  /** ISO times. */
  created_at: string;
  last_active_at: string;
  created_by?: string;
  /** This person decides who sees it. On the single view only. */
  mine?: boolean;
  source?: string;
  status: RunState;
  pending_approvals: number;
  has_trace: boolean;
  /** Absolute path of the latest Trace file; on the single view only. */
  trace_path?: string;
  imported?: boolean;
  /** People named in these lines of an imported Session are strangers; `lines` null: in the whole file. Single view only. */
  imported_lines?: { file_index: number; lines: number | null }[];
  switched_from?: { agent: string; session_id: string };
  handoff_from?: { agent: string; session_id: string };
  forked_from?: { agent: string; session_id: string };
  parent?: { agent: string; session_id: string };
  /** Sessions that go on from here, as far as this person may see them; derived from their own Traces. Single view only. */
  continued_in?: Successor[];
  /** Why it cannot go on, if it cannot; reading always works. On the single view only. */
  problem?: { code: string; message: string };
}

export interface Successor {
  kind: "switch" | "handoff" | "fork";
  agent: string;
  session_id: string;
  title: string | null;
  model_id: string;
  /** ISO time. */
  created_at: string;
  created_by?: string;
}

/** Pins and unread marks of one person in one Project. Keys: `<agent>/<session>`. */
export interface Marks {
  pins: string[];
  /** ISO times up to which a Session was seen; "" marks it as unread. */
  seen: Record<string, string>;
  /** Sessions without an entry are seen up to here; absent: nothing counts as unread. */
  read_before?: string;
}

/** A call that waits for a person, wherever in the Project. */
export interface WaitingApproval {
  agent: string;
  session_id: string;
  title: string | null;
  workspace: string;
  model_id: string;
  id: string;
  tool_call: ToolCallPayload;
  /** Chain of child Session ids when a subagent asks. */
  origin?: string[];
  /** ISO time. */
  since: string;
}

/** A folder on the server in which a Session may work, and where one can go from it. */
export interface FoldersView {
  /** null: the choice of roots. */
  path: string | null;
  /** The folder above, when it may be used too. */
  parent: string | null;
  folders: { name: string; path: string }[];
  /** More folders lie here than are listed. */
  truncated?: boolean;
  roots: string[];
  /** Workspaces of conversations in this Project, latest first. */
  recent: string[];
}

export interface SkillView {
  name: string;
  description: string;
}

export type SessionCategory = "active" | "archived" | "subagent" | "schedule";
export interface SessionsPage {
  sessions: SessionView[];
  /** How many of each kind this person may see. */
  counts: Record<SessionCategory, number>;
  next_cursor?: string;
}
export interface MessagesPage {
  records: AddressedMessage[];
  /** Cursor of the records before these. */
  before?: string;
}
export interface TracesPage {
  sessions: {
    session_id: string;
    title: string | null;
    last_active_at: string;
    imported: boolean;
    /** `<provider>/<model_id>`; absent: the file does not say. */
    model?: string;
    files: TraceFileView[];
  }[];
  next_cursor?: string;
}
export type TraceRow = { line: number; message: OmniMessage } | { line: number; error: string; raw_head: string };
export interface TraceRowsPage {
  records: TraceRow[];
  /** Physical lines in the file. */
  total: number;
}
export interface ImportResult {
  session_id: string;
  index: 1;
  date: string;
  damaged: { line: number; error: string }[];
}
export interface ProjectStatus {
  sessions: { agent: string; session_id: string; state: RunState; pending_approvals: number }[];
  /** Another number than before: titles, archives or who sees what have changed, so lists are old. */
  lists: number;
}
