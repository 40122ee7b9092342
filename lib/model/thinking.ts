/**
 * How hard a model shall think, as each protocol spells it. A pure function, so that people can be shown what is
 * sent. A level that a model does not know becomes the nearest one that it does, and the answer says so.
 *
 *   openai-chat          reasoning_effort: level
 *   openai-responses     reasoning: {effort: level, summary}
 *   anthropic-messages   adaptive thinking with output_config.effort; before Claude 4.6, and for other makes, a budget
 *   gemini               thinkingConfig.thinkingLevel; Gemini 2.5 a budget; older ones do not think
 */
import type { ThinkingLevel } from "../omni/message";
import type { ClientType } from "./protocol";

/** From the least to the most. */
const LEVELS: readonly ThinkingLevel[] = ["none", "low", "medium", "high", "xhigh", "max"];
/** Smallest budget that the Messages protocol takes, and what is left for the answer at least. Tokens. */
const MIN_BUDGET = 1024;
const BUDGETS = { low: 2048, medium: 8192, high: 16_384, xhigh: 24_576, max: 32_000 };
const GEMINI_BUDGETS = { low: 1024, medium: 8192, high: 24_576 };

/** How a model is told to think. Where there are two ways, an endpoint's refusal can teach the other one. */
export type ThinkingForm = "effort" | "adaptive" | "budget" | "level" | "no";

export interface SentThinking {
  /** Members of the request's body; {} when nothing is sent and the model does what it does by itself. */
  fields: Readonly<Record<string, unknown>>;
  /** The same for people; "" when nothing is sent. */
  sent: string;
  /** What the model is asked for; null: nothing is sent, its own default holds. */
  level: ThinkingLevel | null;
  /** Set when that is not what was chosen; null: the model's own default. */
  degraded_to?: ThinkingLevel | null;
}
export interface ThinkingOptions {
  /** Levels that the vendor names for this model; absent: not known. */
  supported?: readonly ThinkingLevel[];
  /** Levels that the endpoint refused. */
  refused?: readonly ThinkingLevel[];
  /** Learnt from the endpoint; absent: by the model's name. */
  form?: ThinkingForm;
  /** Bound of the output, in which a budget has to fit. Tokens. */
  max_tokens?: number;
}

/** What is sent for a level to this model. */
export function sentThinking(
  client_type: ClientType,
  model_id: string,
  level: ThinkingLevel,
  options: ThinkingOptions = {},
): SentThinking {
  const form = options.form ?? thinkingForm(client_type, model_id);
  for (const candidate of candidates(level, options)) {
    const fields = fieldsOf(client_type, form, candidate, options);
    if (fields === null) continue;
    const sent = Object.entries(fields)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join(", ");
    return { fields, sent, level: candidate, ...(candidate === level ? {} : { degraded_to: candidate }) };
  }
  return { fields: {}, sent: "", level: null, ...(level === "none" && form === "no" ? {} : { degraded_to: null }) };
}

/** The level itself, then the nearest below it, then the nearest above; "none" only when it was chosen. */
function candidates(level: ThinkingLevel, { supported, refused = [] }: ThinkingOptions): ThinkingLevel[] {
  const at = LEVELS.indexOf(level);
  const below = LEVELS.slice(1, Math.max(at, 1)).toReversed();
  const above = LEVELS.slice(at + 1);
  return [level, ...below, ...above].filter((x) => !refused.includes(x) && (supported?.includes(x) ?? true));
}

/** By the model's name, as far as names tell. */
export function thinkingForm(client_type: ClientType, model_id: string): ThinkingForm {
  const name = model_id.toLowerCase();
  if (client_type === "anthropic-messages") {
    if (!name.includes("claude")) return "budget";
    const version = versionIn(name);
    return version === null || version >= 4.6 ? "adaptive" : "budget";
  }
  if (client_type !== "gemini") return "effort";
  const version = versionIn(name);
  if (name.includes("gemma") || (version !== null && version < 2.5)) return "no";
  return version !== null && version < 3 ? "budget" : "level";
}

/** "claude-opus-4-6-20260101" -> 4.6, "gemini-2.5-pro" -> 2.5; null: the name holds no version. Dates are none. */
function versionIn(name: string): number | null {
  const found = /(?:^|[-_./])v?(\d{1,2})(?:[-.](\d{1,2}))?(?=$|[-_./@:])/.exec(name);
  return found ? Number(`${found[1]}.${found[2] ?? 0}`) : null;
}

/** null: there is no way to say this level. */
function fieldsOf(
  client_type: ClientType,
  form: ThinkingForm,
  level: ThinkingLevel,
  options: ThinkingOptions,
): Record<string, unknown> | null {
  if (form === "no") return null;
  switch (client_type) {
    case "openai-chat":
      return { reasoning_effort: level };
    case "openai-responses":
      return { reasoning: level === "none" ? { effort: level } : { effort: level, summary: "auto" } };
    case "anthropic-messages":
      return form === "adaptive" ? adaptive(level) : budget(level, options.max_tokens);
    case "gemini":
      return form === "budget" ? geminiBudget(level) : geminiLevel(level, options.supported);
  }
}

function adaptive(level: ThinkingLevel): Record<string, unknown> {
  if (level === "none") return { thinking: { type: "disabled" } };
  return { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: level } };
}

function budget(level: ThinkingLevel, max_tokens: number | undefined): Record<string, unknown> | null {
  if (level === "none") return { thinking: { type: "disabled" } };
  const room = max_tokens === undefined ? BUDGETS[level] : Math.min(BUDGETS[level], max_tokens - MIN_BUDGET);
  return room < MIN_BUDGET ? null : { thinking: { type: "enabled", budget_tokens: room } };
}

function geminiBudget(level: ThinkingLevel): Record<string, unknown> | null {
  if (level === "none") return { thinkingConfig: { thinkingBudget: 0 } };
  if (level === "xhigh" || level === "max") return null;
  return { thinkingConfig: { thinkingBudget: GEMINI_BUDGETS[level], includeThoughts: true } };
}

function geminiLevel(level: ThinkingLevel, supported: readonly ThinkingLevel[] | undefined) {
  if (level === "none") return { thinkingConfig: { thinkingLevel: "MINIMAL" } };
  if ((level === "xhigh" || level === "max") && !supported?.includes(level)) return null;
  return { thinkingConfig: { thinkingLevel: level.toUpperCase(), includeThoughts: true } };
}
