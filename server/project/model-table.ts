/** The `[[models]]` of a `.project_config.toml`: read tolerantly, changed as a whole, unknown keys kept. */
import { z } from "zod";
import { AppError } from "../../lib/api/errors";
import type { ModelEntryBody, ModelRef } from "../../lib/api/schemas";
import { CLIENT_TYPES, type ClientType } from "../../lib/model/protocol";
import { type ThinkingLevel, thinkingLevel } from "../../lib/omni/message";
import { normaliseBaseUrl } from "../llm/base-url";
import { DEMO_PROVIDER } from "../llm/demo";
import { baseUrlOf, clientTypeOf, type Env, originOf } from "./vendors";

const optional = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined);
const pricing = z.looseObject({
  cache_read: z.number(),
  cache_write: z.number(),
  output: z.number(),
  cache_creation: optional(z.number()),
});
const storedModel = z.looseObject({
  provider: z.string().min(1),
  model_id: z.string().min(1),
  display_name: optional(z.string()),
  client_type: optional(z.enum(CLIENT_TYPES)),
  base_url: optional(z.string().min(1)),
  api_key: optional(z.string().min(1)),
  created_at: optional(z.union([z.string(), z.date().transform((date) => date.toISOString())])),
  context_window: optional(z.number().int().positive()),
  max_tokens: optional(z.number().int()),
  vision: optional(z.boolean()),
  pricing: optional(pricing),
  /** Saved by somebody who may not use private addresses: its name is looked up again before every use. */
  public_only: optional(z.boolean()),
});
export type StoredModel = z.infer<typeof storedModel>;

const modelRef = z.object({ provider: z.string(), model_id: z.string() });
const configFile = z.looseObject({
  models: z.array(z.unknown()).catch([]),
  default_model: optional(modelRef),
  vision_model: optional(modelRef),
  default_chat: optional(z.looseObject({ thinking_level: optional(thinkingLevel) })),
});

export interface ModelTable {
  models: StoredModel[];
  default_model?: ModelRef;
  vision_model?: ModelRef;
  thinking_level?: ThinkingLevel;
}

export function parseTable(table: unknown): ModelTable {
  const { models, default_model, vision_model, default_chat } = configFile.parse(table ?? {});
  const parsed = models.flatMap((entry) => {
    const model = storedModel.safeParse(entry);
    return model.success && model.data.provider !== DEMO_PROVIDER ? [model.data] : [];
  });
  return { models: parsed, default_model, vision_model, thinking_level: default_chat?.thinking_level };
}

export const samePair = (a: ModelRef, b: ModelRef) => a.provider === b.provider && a.model_id === b.model_id;

/** Address that requests of this entry go to; undefined when neither the entry nor its vendor names one. */
export function addressOf(model: { provider: string; base_url?: string }, env: Env): string | undefined {
  return model.base_url ?? baseUrlOf(model.provider, env);
}

export const protocolOf = (model: { provider: string; client_type?: StoredModel["client_type"] }) =>
  model.client_type ?? clientTypeOf(model.provider);

function tidyBaseUrl(given: string | undefined, protocol: ClientType): string | undefined {
  if (given === undefined || given.trim() === "") return undefined;
  const tidied = normaliseBaseUrl(given, protocol);
  if (!tidied.ok) throw new AppError("invalid_base_url", tidied.message);
  return tidied.url;
}

/** Never sends a stored key to another host: it stays only while the origin stays. `null` clears it. */
function keyAfter(source: StoredModel | undefined, entry: ModelEntryBody, base_url: string | undefined, env: Env) {
  const none = { api_key: undefined, created_at: undefined };
  if (entry.api_key === null) return none;
  if (entry.api_key !== undefined) return { api_key: entry.api_key, created_at: new Date().toISOString() };
  if (!source?.api_key) return none;
  const from = originOf(addressOf(source, env));
  const to = originOf(addressOf({ provider: entry.provider, base_url }, env));
  return from === to ? { api_key: source.api_key, created_at: source.created_at } : none;
}

/** Keys that nobody here knows: they belong to other programs. */
function unknownKeys(model: StoredModel = { provider: "", model_id: "" }): Record<string, unknown> {
  return Object.fromEntries(Object.entries(model).filter(([key]) => !(key in storedModel.shape)));
}

/** What an entry of a PUT becomes on disk. Unknown keys of the entry before it stay. Throws `invalid_base_url`. */
export function nextEntry(table: readonly StoredModel[], entry: ModelEntryBody, env: Env): StoredModel {
  const before = table.find((model) => samePair(model, entry));
  const { key_from } = entry;
  const keySource = before?.api_key || !key_from ? before : table.find((model) => samePair(model, key_from));
  const base_url = tidyBaseUrl(entry.base_url, protocolOf(entry));
  if (!base_url && !baseUrlOf(entry.provider, env)) {
    throw new AppError("invalid_base_url", `The provider "${entry.provider}" is not known: give its base URL.`);
  }
  const { api_key: _given, key_from: _from, ...values } = entry;
  return {
    ...unknownKeys(before),
    ...(before?.public_only === undefined ? {} : { public_only: before.public_only }),
    ...values,
    base_url,
    pricing: entry.pricing && { unit: "usd_per_mtok", ...entry.pricing },
    ...keyAfter(keySource, entry, base_url, env),
  };
}
