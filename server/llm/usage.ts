/** Usage as providers of the chat protocol spell it -> TokenCounts (FF 2.6). */
import type { TokenCounts } from "../../lib/omni/message";
import { asObject, type JsonObject } from "./json";

/**
 * undefined when the object says nothing (absent, empty or all zero), so that a meter does not fall to 0.
 * Prompt tokens contain the cached ones. Reasoning tokens are part of the output, also where a provider counts them
 * beside `completion_tokens` (its own total tells).
 */
export function chatUsage(raw: unknown): TokenCounts | undefined {
  const usage = asObject(raw);
  if (usage === undefined) return undefined;
  const details = asObject(usage.prompt_tokens_details) ?? asObject(usage.input_tokens_details) ?? {};
  const completion = asObject(usage.completion_tokens_details) ?? asObject(usage.output_tokens_details) ?? {};
  const prompt = count(usage, "prompt_tokens", "input_tokens");
  const said = count(usage, "completion_tokens", "output_tokens");
  const cached = Math.min(
    count(details, "cached_tokens") || count(usage, "prompt_cache_hit_tokens", "cached_tokens"),
    prompt,
  );
  const reasoning = count(completion, "reasoning_tokens");
  const apart = reasoning > 0 && count(usage, "total_tokens") === prompt + said + reasoning;
  const output = apart ? said + reasoning : said;
  if (prompt + output === 0) return undefined;
  const cache_write = prompt - cached;
  const created = Math.min(count(details, "cache_write_tokens", "cache_creation_tokens"), cache_write);
  return {
    cache_read: cached,
    cache_write,
    output,
    total: cached + cache_write + output,
    ...(created > 0 ? { cache_creation: created } : {}),
  };
}

/** The first of the keys that holds a sensible count, else 0. */
function count(from: JsonObject, ...keys: string[]): number {
  for (const key of keys) {
    const value = from[key];
    if (typeof value === "number" && Number.isFinite(value) && value > 0) return Math.round(value);
  }
  return 0;
}
