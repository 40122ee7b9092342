/**
 * What one endpoint understands beyond the common core. Learnt from its own refusals: a 400 that names an optional
 * field is answered by the same request without it, and remembered.
 */
import type { ThinkingLevel } from "../../lib/omni/message";

export interface Dialect {
  readonly stream_options: boolean;
  readonly max_tokens: "max_tokens" | "max_completion_tokens" | "none";
  /** The highest level it takes; "off": it knows no `reasoning_effort`. */
  readonly effort: "any" | "xhigh" | "high" | "off";
  /** Calls without thinking need an empty `reasoning_content` too. */
  readonly reasoning_required: boolean;
}

export const COMMON_DIALECT: Dialect = {
  stream_options: true,
  max_tokens: "max_tokens",
  effort: "any",
  reasoning_required: false,
};

/** `reasoning_effort` for a level; undefined: leave it out. */
export function effortFor(level: ThinkingLevel, dialect: Dialect): ThinkingLevel | undefined {
  if (dialect.effort === "off") return undefined;
  if (level === "none" && dialect.effort !== "any") return undefined;
  if (dialect.effort === "high" && (level === "xhigh" || level === "max")) return "high";
  if (dialect.effort === "xhigh" && level === "max") return "xhigh";
  return level;
}

/** The dialect to try next after a refusal in these words; null: the refusal is about something else. */
export function learn(dialect: Dialect, level: ThinkingLevel, status: number, words: string): Dialect | null {
  if (status !== 400 && status !== 422) return null;
  if (dialect.max_tokens === "max_tokens" && /max_completion_tokens/.test(words)) {
    return { ...dialect, max_tokens: "max_completion_tokens" };
  }
  if (dialect.stream_options && /stream_options/.test(words)) return { ...dialect, stream_options: false };
  if (!dialect.reasoning_required && /reasoning_content/.test(words) && /miss|must|require|need/i.test(words)) {
    return { ...dialect, reasoning_required: true };
  }
  const sent = effortFor(level, dialect);
  if (sent === undefined || !/reasoning[_. ]effort|reasoning_effort/.test(words)) return null;
  if (sent === "max") return { ...dialect, effort: "xhigh" };
  if (sent === "xhigh") return { ...dialect, effort: "high" };
  return { ...dialect, effort: "off" };
}

const MAX_REMEMBERED = 200;
const remembered = new Map<string, Dialect>();

/** The dialect last learnt for an endpoint and model in this process. */
export function dialectOf(key: string): Dialect {
  return remembered.get(key) ?? COMMON_DIALECT;
}
export function rememberDialect(key: string, dialect: Dialect): void {
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(key, dialect);
}
