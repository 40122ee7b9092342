/** The event stream of one Session: frame types, and their text form (`text/event-stream`). */
import type {
  AddressedMessage,
  OmniMessage,
  PartialMessage,
  RecordAddress,
  TokenCounts,
  ToolCallPayload,
} from "../omni/message";

export type RunState = "idle" | "running" | "compacting";

export interface StateFrame {
  state: RunState;
  /** client_id of the running Task. */
  task?: string;
  /** ISO time at which the running Task began. */
  since?: string;
  /** A wait before the next attempt; `at` is an ISO time. */
  retry?: { attempt: number; at: string; error?: string };
  /** Why the last Task ended badly; gone with the next one. `text` is a prompt that returns to the composer, of `task`. */
  error?: { code: string; message: string; text?: string; task?: string };
  /** Commands that run in the background. Absent: none. */
  commands?: number;
  /** The model answers at another endpoint now (hosts): what it had sealed for the first one is left out (RS8). */
  moved?: { from: string; to: string };
  /** Subagents that work, with the ISO time at which they began. Absent: none. */
  subagents?: { session_id: string; since: string }[];
}

export interface QueuedMessage {
  id: string;
  kind: "steer" | "task";
  text: string;
  images?: number;
  author?: string;
}
export interface QueueFrame {
  items: QueuedMessage[];
}

/** A call that waits for a decision. */
export interface ApprovalRequest {
  id: string;
  tool_call: ToolCallPayload;
  /** Chain of child Session ids when a subagent asks. */
  origin?: string[];
  /** ISO time. */
  since: string;
}
/** The end of a wait. */
export interface ApprovalDecided {
  id: string;
  decision: "allow" | "deny" | "forbidden";
  by: string;
}
export type ApprovalFrame = ApprovalRequest | ApprovalDecided;

/** What lies before the first record of a snapshot or window. */
export interface Prior {
  /** True when earlier records exist: ask `messages` for them. */
  more: boolean;
  /** Running sum of the Session before the window. */
  tokens: TokenCounts;
  /** `request.total` of the last ordinary Request before the window: the context in use. */
  context: number;
  /** A Request after that one was too long for the provider. */
  context_full?: boolean;
  elapsed_ms: number;
  tasks: number;
}

/** What recovery had to skip, shown as a notice. */
export interface Recovery {
  damaged: { file_index: number; line: number; error: string }[];
  /** The last Task was cut off by the end of the process. */
  interrupted: boolean;
}

export interface SnapshotFrame {
  /** The newest records in memory, oldest first: at most 200, cut before a Request's input. */
  records: AddressedMessage[];
  /** One synthetic `start` fragment per message still being streamed, with all of its text so far. */
  open: PartialMessage[];
  state: StateFrame;
  queue: QueueFrame;
  approvals: ApprovalRequest[];
  prior: Prior;
  recovery?: Recovery;
}

/** A snapshot outside of the stream, and the event after which the stream goes on. */
export interface Opening {
  id: string;
  snapshot: SnapshotFrame;
}

export interface MessageFrame {
  /** Absent for fragments and for messages of children. */
  address?: RecordAddress;
  message: OmniMessage;
}

/** Who looks at the Session now. Only on the connection that a browser shares among its windows; without an id. */
export interface PresentPerson {
  id: string;
  name: string;
}
export interface PresenceFrame {
  people: PresentPerson[];
}

export type Frame =
  | { event: "snapshot"; data: SnapshotFrame }
  | { event: "message"; data: MessageFrame }
  | { event: "state"; data: StateFrame }
  | { event: "approval"; data: ApprovalFrame }
  | { event: "queue"; data: QueueFrame }
  | { event: "presence"; data: PresenceFrame };

export const FRAME_EVENTS = [
  "snapshot",
  "message",
  "state",
  "approval",
  "queue",
  "presence",
] as const satisfies Frame["event"][];

/** `<epoch>-<seq>` of an event; the epoch changes with every runtime of a Session. */
export function formatEventId(epoch: string, seq: number): string {
  return `${epoch}-${seq}`;
}

/** Inverse of `formatEventId`; null for anything else. */
export function parseEventId(id: string): { epoch: string; seq: number } | null {
  const match = /^([A-Za-z0-9]+)-(\d+)$/.exec(id);
  return match?.[1] && match[2] ? { epoch: match[1], seq: Number(match[2]) } : null;
}

/** One frame as text. JSON.stringify never emits a raw line break, so one `data:` line is enough. */
export function encodeFrame(id: string, frame: Frame): string {
  return `id: ${id}\nevent: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`;
}

export const PING = ": ping\n\n";
