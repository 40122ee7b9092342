/** What a conversation is made of on the screen. Plain data: folded by `transcript.ts`, drawn by the chat's items. */
import type {
  AddressedMessage,
  OmniMessage,
  RecordAddress,
  SessionInfoPayload,
  SessionMetaPayload,
  StopReason,
  TokenCounts,
} from "../omni/message";
import type { Boundaries } from "./boundary";
import type { Long, Shortened } from "./long";
import type { TaskStats } from "./transcript-stats";

export type { Long, Shortened };

interface Recorded {
  /** ISO time of the record; of the first fragment while it streams. */
  at: string;
  /** Absent while it streams. */
  address?: RecordAddress;
}

export interface PromptItem extends Recorded {
  kind: "prompt";
  text: Long;
  author?: string;
  /** Who wrote it when no person did: "parent_agent", "harness", "server". */
  sender?: string;
  /** Data URLs or web addresses. */
  images: readonly Long[];
  /** Paths of attached files. */
  files: readonly string[];
  client_id?: string;
}

/** A machine marker at the head of an input, shown in words and never as raw brackets. */
export type Banner =
  | {
      type: "model_switch";
      session: string;
      title?: string;
      workspace?: string;
      previous_model?: string;
      previous_provider?: string;
    }
  | { type: "handoff"; agent: string; agent_name?: string; session?: string; title?: string; workspace?: string }
  | { type: "skills"; skills: readonly string[] }
  | { type: "schedule"; schedule: string; fired_at?: string }
  /** `budget`: tokens in all its rounds; absent: no limit. */
  | { type: "goal"; round: number; budget?: number }
  /** `output`: the end of what it wrote. */
  | { type: "background"; kind: string; id: string; status: string; detail?: string; output?: string };
export interface BannerItem extends Recorded {
  kind: "banner";
  banner: Banner;
}

interface Generated extends Recorded {
  /** ISO time at which the model began with it, as far as the records tell. */
  started_at: string;
  /** Absent while it streams. */
  stop_reason?: StopReason;
  streaming: boolean;
}
export interface ThinkingItem extends Generated {
  kind: "thinking";
  text: Long;
}
export interface TextItem extends Generated {
  kind: "text";
  text: Long;
}
export interface MediaItem extends Recorded {
  kind: "media";
  /** base64 */
  data: Long;
  mime_type: string;
}

export interface ToolDecision {
  decision: "allow" | "deny" | "forbidden";
  at: string;
  by?: string;
  waited_ms?: number;
}
export interface ToolOutput {
  text: Long;
  images: readonly Long[];
  at: string;
  address?: RecordAddress;
  stop_reason?: StopReason;
}
export interface ToolItem extends Generated {
  kind: "tool";
  name: string;
  /** As the model wrote them: may be no JSON at all. */
  arguments: Long;
  call_id: string;
  decision?: ToolDecision;
  /** Output so far, until the complete one is there. */
  live?: string;
  live_images?: readonly string[];
  output?: ToolOutput;
  child?: { session_id: string; agent?: string };
}

export interface RetryAttempt {
  status: StopReason;
  at: string;
  error?: string;
  attempt?: number;
  /** Announced wait, milliseconds; absent: no further attempt. */
  wait_ms?: number;
}
export interface RetryItem extends Recorded {
  kind: "retry";
  attempts: readonly RetryAttempt[];
  outcome: "waiting" | "retrying" | "recovered" | "gave_up" | "refused" | "over_budget" | "auth";
}
/** The model ended its turn without a text and without a call. */
export interface SilenceItem extends Recorded {
  kind: "silence";
}
export interface AbortItem extends Recorded {
  kind: "abort";
  reason?: string;
  by?: string;
}
export interface CompactionItem extends Recorded {
  kind: "compaction";
  /** "unknown" when only the summary it left behind is loaded. */
  state: "running" | "completed" | "failed" | "aborted" | "unknown";
  reason?: string;
  mode?: string;
  /** Tokens in the context when it began. */
  context?: number;
  ended_at?: string;
  error?: string;
  attempts: number;
  /** The model's answer, live while it runs; then the summary taken from it. */
  answer: Long;
  /** The record that holds the answer, or the summary. */
  answered_at?: RecordAddress;
  /** The summary as the next context got it. */
  summary?: Long;
}
export interface SubagentItem extends Recorded {
  kind: "subagent";
  session_id: string;
  agent?: string;
}
export interface SteeringItem extends Recorded {
  kind: "steering";
  text: Long;
  images: readonly Long[];
  /** Paths of attached files, if any. */
  files?: readonly string[];
  author?: string;
}
export interface GoalItem extends Recorded {
  kind: "goal";
  outcome: string;
  rounds: number;
  tokens_used: number;
}
/** A record of a kind that is not known here, or that fits nowhere: kept and shown as it is. */
export interface RawItem extends Recorded {
  kind: "raw";
  message: OmniMessage;
}

export type Item =
  | PromptItem
  | BannerItem
  | ThinkingItem
  | TextItem
  | MediaItem
  | ToolItem
  | RetryItem
  | AbortItem
  | SilenceItem
  | CompactionItem
  | SubagentItem
  | SteeringItem
  | GoalItem
  | RawItem;
export type OpenItem = ThinkingItem | TextItem | ToolItem;

/** One Task of the conversation, or a compaction between two Tasks. */
export interface TaskBlock {
  /** `<file>:<line>` of its first record; "head" when none is recorded yet. */
  id: string;
  kind: "task" | "compaction";
  /** In the order of the records. */
  items: readonly Item[];
  /** What is being streamed now, after everything recorded. */
  open: readonly OpenItem[];
  stats: TaskStats;
  /** The first and the last record of the Task; absent while none is loaded that opens one. */
  from?: RecordAddress;
  to?: RecordAddress;
  /** The end of its newest completed Request: where a fork can begin. */
  fork_at?: RecordAddress;
  /** Bookkeeping of the fold. */
  fold: TaskFold;
}
export interface TaskFold {
  /** Its position among the Tasks of the loaded records; null: records that belong to none of them. */
  task: number | null;
  usage_seen: boolean;
  /** The last Request ended without usage; that may still follow it. */
  usage_owed?: boolean;
  /** A text or a call came since its Request began; absent: none began in what is loaded. */
  answered?: boolean;
  /** ISO time of the last thing the model finished. */
  mark: string;
  /** What it was before its open Request began, should that turn out to be another Task's. */
  before?: { at: string; address?: RecordAddress; ended_at: string; to?: RecordAddress; mark: string };
}

export interface DamagedLine {
  file_index: number;
  line: number;
  error: string;
}

export interface Transcript {
  tasks: readonly TaskBlock[];
  meta: SessionMetaPayload | null;
  info: SessionInfoPayload | null;
  /** Running sum of the Session. */
  session_tokens: TokenCounts;
  /** Tokens in the context; null right after a compaction. */
  context: number | null;
  /** The provider found the last Request too long, whatever was counted (UC13). */
  context_full: boolean;
  /** Earlier records exist. */
  more: boolean;
  /** Working time before the first block, milliseconds. */
  elapsed_before_ms: number;
  tasks_before: number;
  damaged: readonly DamagedLine[];
  /** The last Task was cut off by the end of the process. */
  interrupted: boolean;
  /** Which Task the next record belongs to. */
  boundaries: Boundaries;
  /** Records of the first Task and what stands before it: folded again when what came before it is loaded. */
  head: readonly AddressedMessage[];
}
