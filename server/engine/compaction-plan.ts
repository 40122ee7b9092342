/** When a context is to be compacted, and when that would be in vain. Pure. */
import type { TokenCounts } from "../../lib/omni/message";
import { estimatedTokens, overheadTokens } from "./estimate";
import type { CompactionSettings, EngineState, TaskDeps } from "./state";

export interface CompactionPlan {
  reason: "context" | "turns" | "manual";
  settings: CompactionSettings;
  /** Tokens in the context. */
  context: number;
  /** The provider found the last Request too long: only a part of it can be sent to be summarised. */
  too_long?: true;
}

/** Small windows keep half of themselves: the distance below would leave them nothing. */
const SMALL_WINDOW = 4_096;
const DISTANCE = 2_048;
const UNKNOWN_WINDOW = 128_000;

/** Tokens at which a context is compacted: what the Agent wants, as far as the model's window allows. */
export function compactionThreshold(wanted: number, window: number | undefined): number {
  if (window === undefined) return Math.min(wanted, UNKNOWN_WINDOW);
  return Math.min(wanted, window < SMALL_WINDOW ? Math.floor(window / 2) : window - DISTANCE);
}

/** Asked after each committed Request; `usage` is what its provider told, null when it told nothing (CP13). */
export function dueCompaction(state: EngineState, deps: TaskDeps, usage: TokenCounts | null): CompactionPlan | null {
  const settings = deps.compaction;
  if (!settings) return null;
  const context = usage?.total ?? contextTokens(state, deps);
  if (context >= settings.threshold) return { reason: "context", settings, context };
  const { max_turns } = settings;
  return max_turns > 0 && state.session_turns >= max_turns ? { reason: "turns", settings, context } : null;
}

/** Compaction by hand; null: none is configured. */
export function manualCompaction(state: EngineState, deps: TaskDeps): CompactionPlan | null {
  const settings = deps.compaction;
  return settings && { reason: "manual", settings, context: state.last_request_total || contextTokens(state, deps) };
}

/** What may be tried when the provider says that a Request is too long (EN4); null: nothing. */
export function rescue(state: EngineState, deps: TaskDeps): CompactionPlan | null {
  const settings = deps.compaction;
  if (settings?.mode !== "summarize") return null;
  return { reason: "context", settings, context: contextTokens(state, deps), too_long: true };
}

/** Two compactions that did not help are enough (CP02, CP10). */
const ENOUGH = 2;

/** Why compacting would change nothing, said to the person; null: it may help. */
export function inVain(state: EngineState, plan: CompactionPlan, deps: TaskDeps): string | null {
  if (plan.reason !== "context" || plan.too_long) return null;
  const { threshold } = plan.settings;
  const fixed = overheadTokens(deps);
  const way = "Raise max_context_length of the Agent, or use a model with a larger context.";
  if (fixed >= threshold) {
    return `The system prompt and the tools alone take about ${fixed} tokens; contexts are compacted from ${threshold} tokens on. ${way}`;
  }
  if (state.session_turns > 1 || state.quick_compactions < ENOUGH) return null;
  return `Compacting did not help: the first Request after it filled the context again (${plan.context} of ${threshold} tokens). ${way}`;
}

/** Never less than what the provider said of a shorter conversation. */
function contextTokens(state: EngineState, deps: TaskDeps): number {
  return estimatedTokens([...state.history, ...state.carry_over], deps, state.last_request_total);
}
