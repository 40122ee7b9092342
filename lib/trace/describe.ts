/** One line about one record: what it is, what it says, how it ended. Pure; words are keys of the dictionary. */
import type { Described, Phrase } from "../api/trace-summary";
import { duration, shortCount } from "../format";
import type { OmniMessage } from "../omni/message";
import { type Fields, fieldsOf, firstLine, HEAD, isObject, numberField, textField } from "./fields";

export function describe(message: OmniMessage): Described {
  const fields = fieldsOf(message);
  if (message.type === "session_meta") return clipped(describeMeta(fields));
  const type = textField(fields, "type");
  const known = message.type === "model_msg" ? MODEL[type] : EVENTS[type];
  if (!known) return clipped({ kind: "other", label: type || message.type, summary: compact(fields) });
  return clipped({ ...known(fields), ...markOf(fields) });
}

/** Characters. */
const LONGEST = 240;
const clip = (text: string) => text.slice(0, LONGEST);

/** A record may say anything anywhere: a name may be megabytes long. */
function clipped({ kind, label, summary, mark }: Described): Described {
  const phrase = (said: Phrase): Phrase => (typeof said === "string" ? clip(said) : said);
  const told: Described = { kind, label: phrase(label), summary: phrase(summary) };
  if (mark) told.mark = { ...mark, text: clip(mark.text) };
  return told;
}

/** What a search calls a hit: the type of its payload, and whose text it is when that is told. */
export function describeHit(type: string, role?: string): Pick<Described, "kind" | "label"> {
  if (type === "session_meta") return { kind: "meta", label: label("trace.meta") };
  const known = MODEL[type] ?? EVENTS[type];
  if (!known) return { kind: "other", label: type };
  const { kind, label: name } = known({ role });
  return { kind, label: name };
}

type Words = Exclude<Phrase, string>["words"];
const label = (words: Words): Phrase => ({ words });

function describeMeta(fields: Fields): Described {
  const model = [textField(fields, "provider"), textField(fields, "model_id")].filter(Boolean).join(" / ");
  const workspace = textField(fields, "workspace");
  return { kind: "meta", label: label("trace.meta"), summary: [model, workspace].filter(Boolean).join(" · ") };
}

type Describe = (fields: Fields) => Described;

const MODEL: Partial<Record<string, Describe>> = {
  text: (fields) => {
    const user = fields.role === "user";
    const machine = user && fields.sender !== undefined && fields.sender !== "user";
    return {
      kind: user ? "prompt" : "answer",
      label: label(machine ? "trace.machine_text" : user ? "trace.prompt" : "trace.answer"),
      summary: firstLine(textField(fields, "text")),
    };
  },
  thinking: (fields) => ({
    kind: "thinking",
    label: label("trace.thinking"),
    summary: firstLine(textField(fields, "thinking")),
  }),
  inline_thinking: (fields) => ({
    kind: "thinking",
    label: label("trace.thinking"),
    summary: textField(fields, "mime_type"),
  }),
  image_url: (fields) => ({
    kind: "image",
    label: label("trace.image"),
    summary: firstLine(textField(fields, "image_url"), 80),
  }),
  inline_data: (fields) => ({ kind: "image", label: label("trace.file"), summary: textField(fields, "mime_type") }),
  tool_call: (fields) => ({
    kind: "call",
    label: label("trace.call"),
    summary: `${textField(fields, "name")} ${firstLine(textField(fields, "arguments").slice(0, HEAD).replace(/\s+/g, " "))}`,
  }),
  tool_call_output: (fields) => ({
    kind: "output",
    label: label("trace.output"),
    summary: firstLine(textField(fields, "output")),
  }),
};

const EVENTS: Partial<Record<string, Describe>> = {
  request_begin: () => ({ kind: "request", label: label("trace.request_begin"), summary: "" }),
  request_end: (fields) => {
    const wait = numberField(fields, "retry_in_ms");
    const error = firstLine(textField(fields, "error_message"));
    const retry: Phrase = { words: "trace.retry_in", params: { wait: duration(wait ?? 0), error } };
    return { kind: "request", label: label("trace.request_end"), summary: wait === null ? error : retry };
  },
  approval_decision: (fields) => {
    const waited = numberField(fields, "waited_ms");
    const by = textField(fields, "by");
    return {
      kind: "approval",
      label: label("trace.approval"),
      summary: [by, waited === null ? "" : duration(waited)].filter(Boolean).join(" · "),
    };
  },
  token_usage: (fields) => ({
    kind: "usage",
    label: label("trace.usage"),
    summary: usageLine(isObject(fields.request) ? fields.request : {}),
  }),
  aux_usage: (fields) => ({
    kind: "usage",
    label: label("trace.aux_usage"),
    summary: textField(fields, "purpose"),
  }),
  compaction_begin: (fields) => ({
    kind: "compaction",
    label: label("trace.compaction_begin"),
    summary: textField(fields, "reason"),
  }),
  compaction_end: (fields) => ({
    kind: "compaction",
    label: label("trace.compaction_end"),
    summary: firstLine(textField(fields, "error_message")) || textField(fields, "mode"),
  }),
  abort: (fields) => ({
    kind: "abort",
    label: label("trace.abort"),
    summary: [textField(fields, "by"), firstLine(textField(fields, "reason"))].filter(Boolean).join(" · "),
  }),
  subagent: (fields) => ({
    kind: "subagent",
    label: label("trace.subagent"),
    summary: [textField(fields, "agent"), textField(fields, "session_id")].filter(Boolean).join(" · "),
  }),
  session_info: (fields) => ({
    kind: "settings",
    label: label("trace.settings"),
    summary: [textField(fields, "title"), textField(fields, "approval_mode")].filter(Boolean).join(" · "),
  }),
  tool_list_ready: (fields) => ({
    kind: "tools",
    label: label("trace.tool_list"),
    summary: toolNames(fields.tools),
  }),
  goal_finished: (fields) => ({
    kind: "other",
    label: label("trace.goal"),
    summary: textField(fields, "outcome"),
  }),
};

/** Names of a tool list, as far as it is one. */
export function toolNames(tools: unknown): string {
  if (!Array.isArray(tools)) return "";
  return tools.map((tool) => (isObject(tool) ? textField(tool, "name") : "")).join(", ");
}

function usageLine(counts: Fields): Phrase {
  const read = numberField(counts, "cache_read") ?? 0;
  const write = numberField(counts, "cache_write") ?? 0;
  const output = numberField(counts, "output") ?? 0;
  return {
    words: "trace.usage_line",
    params: { input: shortCount(read + write), cached: shortCount(read), output: shortCount(output) },
  };
}

const TONES: Record<string, "good" | "attention" | "danger" | "neutral"> = {
  aborted: "attention",
  timeout: "attention",
  malformed: "attention",
  failed: "danger",
  auth: "danger",
  allow: "good",
  deny: "danger",
  forbidden: "danger",
};

/** Every end but the ordinary one gets a mark, and every decision. */
function markOf(fields: Fields): Pick<Described, "mark"> {
  const end = textField(fields, "status") || textField(fields, "stop_reason") || textField(fields, "decision");
  if (!end || end === "completed") return {};
  return { mark: { text: end, tone: TONES[end] ?? "neutral" } };
}

function compact(fields: Fields): string {
  const { type: _, ...rest } = fields;
  return firstLine(JSON.stringify(rest) ?? "");
}
