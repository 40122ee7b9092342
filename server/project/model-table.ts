/** The `[[models]]` of a `.project_config.toml`: read tolerantly, changed as a whole, unknown keys kept. */
import { z } from "zod";
import { AppError } from "../../lib/api/errors";
import type { ModelEntryBody } from "../../lib/api/model-bodies";
import {
  address,
  apiKey,
  contextWindow,
  displayName,
  modelId,
  priceFields,
  providerName,
} from "../../lib/api/model-fields";
import type { ModelProblem, ModelRef } from "../../lib/api/schemas";
import { MAX_OUTPUT } from "../../lib/model/limits";
import { CLIENT_TYPES, type ClientType } from "../../lib/model/protocol";
import { type ThinkingLevel, thinkingLevel } from "../../lib/omni/message";
import { normaliseBaseUrl } from "../llm/base-url";
import { DEMO_PROVIDER } from "../llm/demo";
import { restoredUrl, shownUrl } from "../llm/url-secrets";
import { baseUrlOf, clientTypeOf, type Env, originOf } from "./vendors";

const optional = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined);
const storedModel = z.looseObject({
  provider: providerName,
  model_id: modelId,
  display_name: optional(displayName),
  client_type: optional(z.enum(CLIENT_TYPES)),
  /** Strict: a key must not go to the vendor because its own address cannot be read. */
  base_url: address.min(1).optional(),
  api_key: optional(apiKey),
  created_at: optional(z.union([z.string(), z.date().transform((date) => date.toISOString())])),
  context_window: optional(contextWindow),
  /** <= 0: none. */
  max_tokens: optional(z.number().int().max(MAX_OUTPUT)),
  vision: optional(z.boolean()),
  pricing: optional(z.looseObject(priceFields)),
  /** Saved by somebody who may not use private addresses: its name is looked up again before every use. */
  public_only: z.boolean().optional(),
});
export type StoredModel = z.infer<typeof storedModel>;

const modelRef = z.object({ provider: z.string(), model_id: z.string() });
const configFile = z.looseObject({
  models: z.unknown().default([]),
  default_model: optional(modelRef),
  vision_model: optional(modelRef),
  default_chat: optional(z.looseObject({ thinking_level: optional(thinkingLevel) })),
});

type Raw = Readonly<Record<string, unknown>>;

export interface ModelTable {
  models: StoredModel[];
  /** Members of an entry that cannot be used, as the file has them: saving keeps them. */
  odd: ReadonlyMap<StoredModel, Raw>;
  /** Entries that cannot be used at all, likewise. */
  kept: unknown[];
  problems: ModelProblem[];
  default_model?: ModelRef;
  vision_model?: ModelRef;
  thinking_level?: ThinkingLevel;
}

export function parseTable(table: unknown): ModelTable {
  const { models: entries, default_model, vision_model, default_chat } = configFile.parse(table ?? {});
  const models: StoredModel[] = [];
  const odd = new Map<StoredModel, Raw>();
  const kept: unknown[] = [];
  const problems: ModelProblem[] = [];
  if (!Array.isArray(entries)) problems.push({ entry: 0, fields: ["models"] });
  for (const [i, raw] of (Array.isArray(entries) ? entries : []).entries()) {
    const parsed = storedModel.safeParse(raw);
    if (!parsed.success) {
      kept.push(raw);
      problems.push({
        entry: i + 1,
        fields: [...new Set(parsed.error.issues.map(({ path }) => String(path[0] ?? "")))],
      });
      continue;
    }
    const model = parsed.data;
    if (model.provider === DEMO_PROVIDER || models.some((other) => samePair(other, model))) {
      kept.push(raw);
      problems.push({
        entry: i + 1,
        fields: model.provider === DEMO_PROVIDER ? ["provider"] : ["provider", "model_id"],
      });
      continue;
    }
    models.push(model);
    const lost = lostMembers(raw, model);
    if (lost.length === 0) continue;
    odd.set(model, Object.fromEntries(lost));
    const { provider, model_id } = model;
    problems.push({ entry: i + 1, model: { provider, model_id }, fields: lost.map(([field]) => field) });
  }
  return { models, odd, kept, problems, default_model, vision_model, thinking_level: default_chat?.thinking_level };
}

/** What stands in the file and could not be read. */
function lostMembers(raw: unknown, model: StoredModel): [string, unknown][] {
  if (typeof raw !== "object" || raw === null) return [];
  return Object.entries(raw).filter(([field, value]) => value !== undefined && model[field] === undefined);
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

/** The address of an entry of a PUT in full: what is shown of it as hidden is put back. */
function baseUrlAfter(entry: ModelEntryBody, before: StoredModel | undefined, source: StoredModel | undefined) {
  const { base_url: given } = entry;
  if (given === undefined) return undefined;
  const old = before?.base_url;
  // Whatever stands in the file is not judged again while nobody changes it.
  if (before && old && given === shownUrl(old) && protocolOf(before) === protocolOf(entry)) return old;
  const full = restoredUrl(given, old) ?? restoredUrl(given, source?.base_url);
  if (full === null) throw new AppError("invalid_base_url", HIDDEN_VALUE);
  return tidyBaseUrl(full, protocolOf(entry));
}

const HIDDEN_VALUE =
  "A value in the query of the base URL is hidden. It is kept for the same host only: enter it again.";

/** What an entry of a PUT becomes on disk. Unknown keys of the entry before it stay. Throws `invalid_base_url`. */
export function nextEntry({ models, odd }: ModelTable, entry: ModelEntryBody, env: Env): StoredModel {
  const before = models.find((model) => samePair(model, entry));
  const { key_from } = entry;
  const keySource = before?.api_key || !key_from ? before : models.find((model) => samePair(model, key_from));
  const base_url = baseUrlAfter(entry, before, keySource);
  const nowhere = before !== undefined && before.base_url === undefined;
  if (!base_url && !baseUrlOf(entry.provider, env) && !nowhere) {
    throw new AppError("invalid_base_url", `The provider "${entry.provider}" is not known: give its base URL.`);
  }
  const { api_key, key_from: _from, ...values } = entry;
  const next: StoredModel = {
    ...unknownKeys(before),
    ...(before?.public_only === undefined ? {} : { public_only: before.public_only }),
    ...values,
    base_url,
    pricing: entry.pricing && { unit: "usd_per_mtok", ...entry.pricing },
    ...keyAfter(keySource, entry, base_url, env),
  };
  for (const [field, value] of Object.entries((before && odd.get(before)) ?? {})) {
    if (next[field] === undefined && !(field === "api_key" && api_key === null)) next[field] = value;
  }
  return next;
}
