/** What a Session is busy with: one Task, or one compaction by hand. */
import type { StateFrame } from "../../lib/api/frames";
import type { InputPart } from "../../lib/api/schemas";
import { isEventOf } from "../../lib/omni/guards";
import type { OmniMessage, ThinkingLevel } from "../../lib/omni/message";
import { Inbox } from "../engine/inbox";
import type { Stamp } from "../engine/request";
import { RetryWait } from "../engine/retry";
import type { ResolvedModel } from "../project/models";

export interface NewTask {
  /** client_id */
  id: string;
  parts: InputPart[];
  author?: string;
  /** Who wrote it, when that was no person: `parent_agent`, `harness`. */
  sender?: string;
  /** For whom the Task runs, when nobody wrote it. */
  user?: string;
  thinking_level?: ThinkingLevel;
  /** Its text is a goal that is worked on in rounds. */
  goal?: { budget?: number };
  /** The person has seen what an imported Session brings along. */
  confirm_import?: boolean;
}

export interface Run {
  kind: "task" | "compaction";
  id: string;
  since: string;
  stop: AbortController;
  inbox: Inbox;
  wait: RetryWait;
  /** At least one of its records is on disk. */
  wrote: boolean;
  /** What the person typed: it returns to the composer when it could not be saved. */
  text: string;
  retry?: StateFrame["retry"];
  /** Inside of a compaction: one by hand, or one that the Task called for. */
  compacting: boolean;
  /** What it runs with, once that is known. */
  gathered?: { model: ResolvedModel; stamp: Stamp };
  done: Promise<void>;
}

export function newRun(kind: Run["kind"], id: string, text: string, queueChanged: () => void): Run {
  const inbox = new Inbox(queueChanged);
  // There is no Task that could take note of a word.
  if (kind === "compaction") inbox.close();
  return {
    kind,
    id,
    text,
    since: new Date().toISOString(),
    stop: new AbortController(),
    inbox,
    wait: new RetryWait(),
    wrote: false,
    compacting: kind === "compaction",
    done: Promise.resolve(),
  };
}

/** Takes note of a record of the run; true: its state frame changed. */
export function noteRecord(run: Run, message: OmniMessage): boolean {
  run.wrote = true;
  if (isEventOf(message, "request_end") && message.payload.retry_in_ms !== undefined) {
    const { attempt = 1, error_message, retry_in_ms } = message.payload;
    const at = new Date(Date.now() + retry_in_ms).toISOString();
    run.retry = { attempt: attempt + 1, at, ...(error_message ? { error: error_message } : {}) };
    return true;
  }
  if (run.retry && isEventOf(message, "request_begin")) {
    run.retry = undefined;
    return true;
  }
  const begins = isEventOf(message, "compaction_begin");
  if (!begins && !isEventOf(message, "compaction_end")) return false;
  run.compacting = begins;
  run.retry = undefined;
  return true;
}

/** What goes on beside the run. */
export interface Beside {
  commands: number;
  subagents: NonNullable<StateFrame["subagents"]>;
  moved?: StateFrame["moved"] | null;
}

/** `error`: why the last run ended badly. */
export function stateFrame(run: Run | null, error: StateFrame["error"], others: Beside): StateFrame {
  const { commands, subagents, moved } = others;
  const beside = {
    ...(commands > 0 ? { commands } : {}),
    ...(subagents.length > 0 ? { subagents } : {}),
    ...(moved ? { moved } : {}),
  };
  return { ...runFrame(run, error), ...beside };
}

function runFrame(run: Run | null, error: StateFrame["error"]): StateFrame {
  if (!run) return { state: "idle", ...(error ? { error } : {}) };
  return {
    state: run.compacting ? "compacting" : "running",
    ...(run.kind === "task" ? { task: run.id } : {}),
    since: run.since,
    ...(run.retry ? { retry: run.retry } : {}),
  };
}
