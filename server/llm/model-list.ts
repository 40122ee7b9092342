/** What an endpoint says about its models, in whichever of the known shapes -> one list. Reads tolerantly, never throws. */
import type { ListedModel } from "../../lib/api/schemas";
import { asObject, asString, type JsonObject } from "./json";

/** Shapes of a list: who answers like this speaks that protocol. */
export type ListShape = "openai" | "anthropic" | "gemini";

const MAX_MODELS = 2_000;
const PER_MILLION = 1_000_000;

/** null: no list of models. */
export function readModelList(body: unknown): { shape: ListShape; models: ListedModel[] } | null {
  const root = asObject(body);
  if (!root) return null;
  if (Array.isArray(root.models) && root.models.every((entry) => /^models\//.test(asString(asObject(entry)?.name)))) {
    return { shape: "gemini", models: entriesOf(root.models, geminiModel) };
  }
  if (!Array.isArray(root.data)) return null;
  const ofAnthropic =
    root.object === undefined && (root.has_more !== undefined || asObject(root.data[0])?.type === "model");
  return ofAnthropic
    ? { shape: "anthropic", models: entriesOf(root.data, anthropicModel) }
    : { shape: "openai", models: entriesOf(root.data, openAiModel) };
}

function entriesOf(list: unknown[], read: (entry: JsonObject) => ListedModel | null): ListedModel[] {
  const seen = new Map<string, ListedModel>();
  for (const raw of list.slice(0, MAX_MODELS)) {
    const entry = asObject(raw);
    const model = entry && read(entry);
    if (model && model.id !== "" && model.id.length <= 200) seen.set(model.id, model);
  }
  return [...seen.values()].sort((a, b) => a.id.localeCompare(b.id));
}

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
const firstCount = (...values: unknown[]) => values.map(count).find((value) => value !== undefined);

/** Undefined members are left out: an answer says what is known. */
function listed(model: ListedModel): ListedModel {
  const copy = { ...model };
  for (const key of Object.keys(copy) as (keyof ListedModel)[]) if (copy[key] === undefined) delete copy[key];
  return copy;
}

function geminiModel(entry: JsonObject): ListedModel | null {
  const methods = entry.supportedGenerationMethods;
  if (Array.isArray(methods) && !methods.includes("generateContent")) return null;
  return listed({
    id: asString(entry.name).replace(/^models\//, ""),
    display_name: asString(entry.displayName) || undefined,
    context_window: count(entry.inputTokenLimit),
    max_tokens: count(entry.outputTokenLimit),
  });
}

function anthropicModel(entry: JsonObject): ListedModel {
  return listed({
    id: asString(entry.id),
    display_name: asString(entry.display_name) || undefined,
    context_window: count(entry.max_input_tokens),
    max_tokens: count(entry.max_tokens),
  });
}

/** Servers add to this shape what they know, each under a name of its own. */
function openAiModel(entry: JsonObject): ListedModel | null {
  // Embedding models and the like, where a server tells (LM Studio, gateways).
  if (/embed|rerank|moderation|image-generation|audio/i.test(asString(entry.type))) return null;
  const top = asObject(entry.top_provider);
  const input = asObject(entry.architecture)?.input_modalities;
  const capable = asObject(entry.capabilities)?.vision;
  const sees = Array.isArray(input) ? input.includes("image") : entry.type === "vlm" ? true : capable;
  return listed({
    id: asString(entry.id),
    display_name: asString(entry.name) || asString(entry.display_name) || undefined,
    context_window: firstCount(
      entry.context_length,
      entry.context_window,
      entry.max_context_length,
      entry.max_model_len,
      asObject(entry.meta)?.n_ctx_train,
      top?.context_length,
    ),
    max_tokens: firstCount(top?.max_completion_tokens, entry.max_completion_tokens, entry.max_output_tokens),
    vision: typeof sees === "boolean" ? sees : undefined,
    pricing: priceOf(asObject(entry.pricing)),
  });
}

/** USD per token as text, as gateways give it -> USD per million. A price of -1 means that it varies. */
function priceOf(pricing: JsonObject | undefined): ListedModel["pricing"] {
  const rate = (value: unknown) => {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
    return Number.isFinite(number) && number >= 0 ? Number((number * PER_MILLION).toPrecision(8)) : undefined;
  };
  const [input, output] = [rate(pricing?.prompt), rate(pricing?.completion)];
  if (input === undefined || output === undefined) return undefined;
  const creation = rate(pricing?.input_cache_write);
  return {
    cache_read: rate(pricing?.input_cache_read) ?? input,
    cache_write: input,
    output,
    ...(creation === undefined ? {} : { cache_creation: creation }),
  };
}
