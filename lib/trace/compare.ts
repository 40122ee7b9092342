/**
 * Two Traces side by side: what was said and done, step by step, and where they first part ways. Pure. Times do not
 * count: two runs that said and did the same are the same.
 */
import { diffArrays } from "diff";
import { isOwn } from "../omni/guards";
import type { AddressedMessage, RecordAddress } from "../omni/message";
import { readable } from "../omni/readable";

export interface TraceStep {
  at: RecordAddress;
  timestamp: string;
  /** Type of the payload; `prompt` for a user's text. */
  kind: string;
  /** Name of the tool, or how it ended. */
  name: string;
  /** The beginning of what it says. */
  text: string;
  /** Of all that it says. */
  hash: string;
}
export interface AlignedStep {
  left: TraceStep | null;
  right: TraceStep | null;
  same: boolean;
}

const HEAD = 400;
/** Beyond so many differences steps are compared place by place. */
const MAX_EDITS = 1500;

/** null: a record that is no step, such as usage or settings. */
export function stepOf({ address, message }: AddressedMessage): TraceStep | null {
  const known = isOwn(message) ? readable(message) : null;
  if (!known || known.type === "session_meta") return null;
  const payload: Record<string, unknown> = { ...known.payload };
  const said = saidBy(payload);
  if (!said) return null;
  const { kind, name, text } = said;
  return {
    at: address,
    timestamp: known.timestamp,
    kind,
    name,
    text: text.slice(0, HEAD),
    hash: `${text.length}:${hashOf(text)}`,
  };
}

function saidBy(payload: Record<string, unknown>): { kind: string; name: string; text: string } | null {
  const text = (key: string) => (typeof payload[key] === "string" ? payload[key] : "");
  const kind = text("type");
  switch (kind) {
    case "text":
      return { kind: payload.role === "user" ? "prompt" : kind, name: "", text: text("text") };
    case "thinking":
      return { kind, name: "", text: text("thinking") };
    case "tool_call":
      return { kind, name: text("name"), text: text("arguments") };
    case "tool_call_output":
      return { kind, name: text("stop_reason") === "completed" ? "" : text("stop_reason"), text: text("output") };
    case "image_url":
      return { kind, name: "", text: text("image_url") };
    case "inline_data":
      return { kind, name: text("mime_type"), text: text("data") };
    case "approval_decision":
      return payload.decision === "allow" ? null : { kind, name: text("decision"), text: "" };
    case "request_end":
      return payload.status === "completed" ? null : { kind, name: text("status"), text: text("error_message") };
    case "compaction_begin":
    case "abort":
      return { kind, name: text("reason"), text: "" };
    default:
      return null;
  }
}

/** 32 bits of FNV-1a: together with the length enough to tell texts of two Traces apart. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16);
}

const isSame = (a: TraceStep, b: TraceStep) => a.kind === b.kind && a.name === b.name && a.hash === b.hash;
const isAlike = (a: TraceStep, b: TraceStep) => a.kind === b.kind && a.name === b.name;

/** Every step of both, once and in order; beside each other where they are the same, or of one kind in the same place. */
export function alignSteps(left: readonly TraceStep[], right: readonly TraceStep[]): AlignedStep[] {
  const parts = diffArrays([...left], [...right], { comparator: isSame, maxEditLength: MAX_EDITS });
  if (!parts) return paired(left, right);
  const rows: AlignedStep[] = [];
  let removed: TraceStep[] = [];
  let added: TraceStep[] = [];
  let at = 0;
  let from = 0;
  const flush = () => {
    rows.push(...paired(removed, added));
    removed = [];
    added = [];
  };
  for (const part of parts) {
    const count = part.value.length;
    if (part.removed) removed = left.slice(at, at + count);
    else if (part.added) added = right.slice(from, from + count);
    else {
      flush();
      for (let i = 0; i < count; i++)
        rows.push({ left: left[at + i] ?? null, right: right[from + i] ?? null, same: true });
    }
    if (!part.added) at += count;
    if (!part.removed) from += count;
  }
  flush();
  return rows;
}

/** Steps of one kind in one place go beside each other; what has no counterpart stands alone. */
function paired(left: readonly TraceStep[], right: readonly TraceStep[]): AlignedStep[] {
  const rows: AlignedStep[] = [];
  let r = 0;
  for (const step of left) {
    const near = right.slice(r, r + 20).findIndex((other) => isAlike(step, other));
    if (near === -1) {
      rows.push({ left: step, right: null, same: false });
      continue;
    }
    for (; near >= 0 && r < right.length && !isAlike(step, right[r] ?? step); r++)
      rows.push({ left: null, right: right[r] ?? null, same: false });
    const other = right[r] ?? null;
    rows.push({ left: step, right: other, same: other !== null && isSame(step, other) });
    r++;
  }
  for (; r < right.length; r++) rows.push({ left: null, right: right[r] ?? null, same: false });
  return rows;
}
