/**
 * Trace files -> what a Session continues with. Pure, one pass, nothing is copied and nothing is written (RS4).
 *
 *   file ──fold──▶ FileFacts (rounds, counters, settings)
 *   newest file + what its head lacks, from the file before it (RS6) ──▶ Resumed
 *
 * A file that ends with a completed compaction is a closed context: nothing of it is replayed but its summary.
 */
import { writeContextSummary } from "../omni/blocks";
import { event, model, sessionMeta } from "../omni/build";
import { isEventOf, isOwn } from "../omni/guards";
import type {
  AddressedMessage,
  CompactionBeginPayload,
  CompletePayload,
  OmniMessage,
  SessionInfoPayload,
  SessionMetaPayload,
  TextPayload,
  TokenCounts,
} from "../omni/message";
import { readable } from "../omni/readable";
import { FileFold } from "./file-fold";
import type { DamagedLine } from "./jsonl";

export interface TraceFile {
  file_index: number;
  records: AddressedMessage[];
  damaged: DamagedLine[];
  lines: number;
  ends_with_newline: boolean;
}

export interface Resumed {
  ok: true;
  meta: SessionMetaPayload;
  /** Last settings recorded; null: none in these files, the Project's defaults hold. */
  info: SessionInfoPayload | null;
  /** Committed turns, calls and outputs paired. */
  history: CompletePayload[];
  /** Said ahead of the next Request's own input. Never written: its records are already there or never will be. */
  carry_over: CompletePayload[];
  /** The next write rotates; with `pending_summary` in the new file's head (null: a discard). */
  context_closed: boolean;
  /** Text of the summary that opens the next context: delivered ahead of the next prompt. */
  pending_summary: string | null;
  session_tokens: TokenCounts;
  /** Tokens of the last Request; 0 in a new context. */
  last_request_total: number;
  /** Committed Requests of this context, compactions not counted. */
  session_turns: number;
  /** The next append closes it as failed (RS4). */
  dangling_compaction: CompactionBeginPayload | null;
  /** Did the process die while a Task was under way? */
  interrupted: boolean;
  /** What the next append writes first, because the newest file's head was cut (RS6). */
  missing_head: OmniMessage[];
  /** Every call id in use, for adapters that must make unique ones. */
  tool_call_ids: string[];
  /** Idempotency keys seen in the given files. */
  client_ids: string[];
  /** Input that the provider refused in the last Request; /retry sends it again (EN4). */
  refused_last: CompletePayload[];
  /** Does the newest file end inside a Request? */
  open_request: boolean;
}

export interface ResumeFailure {
  ok: false;
  code: "no_file" | "no_meta" | "legacy";
  message: string;
}

/**
 * `files`: the newest one, after the one before it where there is one. The older is needed when `headIncomplete`, and
 * always adds its idempotency keys. Files before those are asked for token sums only (`usageMissing`).
 */
export function resume(files: TraceFile[]): Resumed | ResumeFailure {
  const file = files.at(-1);
  if (!file) return { ok: false, code: "no_file", message: "The Session has no Trace file." };
  const older = files.at(-2);
  const before = older ? FileFold.of(older.records) : null;
  const newest = FileFold.of(file.records, before?.closure?.summary === null ? textsOf(before.carryOver) : []);
  const meta = newest.meta ?? (before?.meta ? rotatedMeta(before.meta) : null);
  if (!meta) return noMeta(file);
  if (typeof meta.provider !== "string" || typeof meta.model_id !== "string") return legacy(file);
  return continued(newest, before, meta, tokensIn(files.slice(0, -2)));
}

/** Does no Request in these files tell the Session's token sums? Then the file before them must be read as well. */
export function usageMissing(files: TraceFile[]): boolean {
  return tokensIn(files) === null;
}

/** The newest sums on record: they go on across files, and a provider may have given no usage since. */
function tokensIn(files: TraceFile[]): TokenCounts | null {
  for (const { records } of files.toReversed()) {
    for (let at = records.length - 1; at >= 0; at -= 1) {
      const message = records[at]?.message;
      if (!message || !isOwn(message) || !isEventOf(message, "token_usage")) continue;
      const usage = readable(message);
      if (usage && isEventOf(usage, "token_usage")) return usage.payload.session;
    }
  }
  return null;
}

/** RS6: must the file before this one be read as well? */
export function headIncomplete(file: TraceFile): boolean {
  if (file.file_index <= 1) return false;
  const fold = FileFold.of(file.records);
  return !(fold.meta && fold.info && fold.tokens && fold.rounds.summarised);
}

/** The whole conversation of the next Request: history, summary, carry-over, then its own input. */
export function nextRequestHistory(resumed: Resumed, input: CompletePayload[]): CompletePayload[] {
  const summary = resumed.pending_summary === null ? [] : [summaryText(resumed.pending_summary)];
  return [...resumed.history, ...summary, ...resumed.carry_over, ...input];
}

export function summaryText(summary: string): TextPayload {
  return { type: "text", role: "user", text: writeContextSummary(summary), stop_reason: "completed" };
}

/** The meta of a rotated file: what was said about copied lines belongs to the old file. */
export function rotatedMeta(meta: SessionMetaPayload): SessionMetaPayload {
  if (meta.forked_from?.copied_lines === undefined) return meta;
  const { copied_lines: _, ...forked_from } = meta.forked_from;
  return { ...meta, forked_from };
}

// ---- putting the parts together -----------------------------------------------------------------------------------

function continued(
  newest: FileFold,
  before: FileFold | null,
  meta: SessionMetaPayload,
  tokensBefore: TokenCounts | null,
): Resumed {
  const { closure } = newest;
  const head = closure ? null : missingHead(newest, before, meta);
  const carry = newest.carryOver;
  const { history } = newest.rounds;
  if (head?.summary) (history.length > 0 ? history : carry).unshift(head.summary);
  return {
    ok: true,
    meta,
    info: newest.info ?? before?.info ?? null,
    history: closure ? [] : history,
    carry_over: closure ? textsOf(carry) : carry,
    context_closed: closure !== null,
    pending_summary: closure?.summary ?? null,
    session_tokens: newest.tokens?.session ?? before?.tokens?.session ?? tokensBefore ?? NO_TOKENS,
    last_request_total: closure ? 0 : (newest.tokens?.request.total ?? 0),
    session_turns: closure ? 0 : newest.rounds.turns,
    dangling_compaction: newest.dangling,
    interrupted: newest.running,
    missing_head: head?.records ?? [],
    tool_call_ids: [...newest.callIds],
    client_ids: [...new Set([...(before?.clientIds ?? []), ...newest.clientIds])],
    refused_last: newest.rounds.refused,
    open_request: newest.openRequest,
  };
}

/** What outlives a discard: outputs answer calls that nobody remembers any more. */
function textsOf(carry: CompletePayload[]): CompletePayload[] {
  return carry.filter((payload) => payload.type !== "tool_call_output");
}

const NO_TOKENS: TokenCounts = { cache_read: 0, cache_write: 0, output: 0, total: 0 };

function missingHead(
  newest: FileFold,
  before: FileFold | null,
  meta: SessionMetaPayload,
): { records: OmniMessage[]; summary: TextPayload | null } {
  const lost = before && !newest.rounds.summarised ? before.closure?.summary : null;
  const summary = lost ? summaryText(lost) : null;
  const records: OmniMessage[] = [];
  if (!newest.meta) records.push(sessionMeta(meta));
  if (summary) records.push(model(summary));
  if (!newest.info && before?.info) records.push(event(before.info));
  return { records, summary };
}

function noMeta(file: TraceFile): ResumeFailure {
  const torn = file.damaged.find((line) => line.line === 1);
  const why = torn ? `its first line is damaged (${torn.error})` : "it has no session_meta record";
  return { ok: false, code: "no_meta", message: `Trace file ${file.file_index} cannot be resumed: ${why}.` };
}

function legacy(file: TraceFile): ResumeFailure {
  const message = `Trace file ${file.file_index} cannot be resumed: its session_meta names no provider and model (legacy data).`;
  return { ok: false, code: "legacy", message };
}
