/** `system_config.yaml`: read tolerantly. A bad value falls back to its default; only the system prompt is required. */
import { parse } from "yaml";
import { z } from "zod";
import { type ThinkingLevel, thinkingLevel } from "../../lib/omni/message";
import { COMPACTION_PROMPT } from "./defaults";

const count = (fallback: number) => z.number().int().catch(fallback);

/** One entry of `tools.builtin`; present members override what the tool itself says. */
const toolEntry = z.looseObject({
  name: z.string(),
  description: z.string().optional().catch(undefined),
  parameters: z.record(z.string(), z.unknown()).optional().catch(undefined),
  permission: z.enum(["r", "rw"]).optional().catch(undefined),
  forModel: z.enum(["vision", "text-only"]).optional().catch(undefined),
  timeoutMs: z.number().optional().catch(undefined),
  maxOutputLength: z.number().optional().catch(undefined),
  call_description: z.boolean().optional().catch(undefined),
});
export type ToolEntry = z.infer<typeof toolEntry>;

const modelSection = z.looseObject({
  max_tokens: count(32_000),
  thinking_level: thinkingLevel.optional().catch(undefined),
  timeoutMs: count(120_000),
});
const compactionSection = z.looseObject({
  max_context_length: count(256_000),
  max_session_turns: count(-1),
  mode: z.enum(["summarize", "discard"]).catch("summarize"),
  prompt: z.string().min(1).catch(COMPACTION_PROMPT),
});
const toolsSection = z.looseObject({ builtin: z.array(z.unknown()).optional().catch(undefined) });

const configFile = z.looseObject({
  name: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  version: z.number().int().min(0).catch(1),
  system_prompt: z.string(),
  max_turns: count(-1),
  model: modelSection.catch(() => modelSection.parse({})),
  compaction: compactionSection.or(z.literal(false)).catch(() => compactionSection.parse({})),
  tools: toolsSection.catch({}),
});

export interface AgentConfig {
  name?: string;
  description?: string;
  version: number;
  /** Template; see `prompt.ts`. */
  system_prompt: string;
  /** Requests per Task; <= 0: no cap. */
  max_turns: number;
  model: {
    /** -1: the key is left out of the request. A model's own limit wins. */
    max_tokens: number;
    thinking_level?: ThinkingLevel;
    /** Without an event from upstream for this long a Request ends; <= 0: never. Milliseconds. */
    timeout_ms: number;
  };
  /** null (`compaction: false`): contexts are never compacted. */
  compaction: {
    /** Tokens. */
    max_context_length: number;
    /** -1: off. */
    max_session_turns: number;
    mode: "summarize" | "discard";
    prompt: string;
  } | null;
  /** null: all built-in tools with their defaults. A list replaces them wholesale. */
  tools: ToolEntry[] | null;
}

export type LoadedConfig = { ok: true; config: AgentConfig } | { ok: false; message: string };

/** The config in the text of a `system_config.yaml`. */
export function parseConfig(text: string): LoadedConfig {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    return { ok: false, message: `It is not valid YAML: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = configFile.safeParse(value);
  if (!parsed.success) return { ok: false, message: "It has no system_prompt, or that is not a text." };
  const { name, description, version, system_prompt, max_turns, model, compaction, tools } = parsed.data;
  const entries = tools.builtin?.flatMap((entry) => {
    const tool = toolEntry.safeParse(entry);
    return tool.success ? [tool.data] : [];
  });
  const { timeoutMs, max_tokens, thinking_level } = model;
  return {
    ok: true,
    config: {
      name,
      description,
      version,
      system_prompt,
      max_turns,
      model: { max_tokens, thinking_level, timeout_ms: timeoutMs },
      compaction: compaction || null,
      tools: entries ?? null,
    },
  };
}
