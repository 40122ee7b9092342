/** The form of a model as text, and what becomes of it. Pure. */
import type { ModelEntryBody, ModelRef, ModelView } from "@/lib/api/schemas";
import type { WordKey } from "@/lib/i18n/t";

export interface Draft {
  provider: string;
  model_id: string;
  display_name: string;
  base_url: string;
  /** Empty: none, or the stored one stays. */
  api_key: string;
  clear_key: boolean;
  context_window: string;
  price_input: string;
  price_cached: string;
  price_output: string;
  vision: boolean;
  make_default: boolean;
}
export type DraftField = Exclude<keyof Draft, "clear_key" | "vision" | "make_default">;
export type DraftErrors = Partial<Record<DraftField, WordKey>>;

export function emptyDraft(makeDefault: boolean): Draft {
  return {
    provider: "",
    model_id: "",
    display_name: "",
    base_url: "",
    api_key: "",
    clear_key: false,
    context_window: "",
    price_input: "",
    price_cached: "",
    price_output: "",
    vision: false,
    make_default: makeDefault,
  };
}

export function draftOf(model: ModelView): Draft {
  const number = (value: number | undefined) => (value === undefined ? "" : String(value));
  return {
    ...emptyDraft(model.is_default),
    provider: model.provider,
    model_id: model.model_id,
    display_name: model.display_name ?? "",
    base_url: model.base_url ?? "",
    context_window: number(model.context_window),
    price_input: number(model.pricing?.cache_write),
    price_cached: number(model.pricing?.cache_read),
    price_output: number(model.pricing?.output),
    vision: model.vision ?? false,
  };
}

/** What the server takes for a model that is not being edited: everything it shows, without touching the key. */
export function entryOf(model: ModelView): ModelEntryBody {
  const { provider, model_id, display_name, client_type, base_url, context_window, max_tokens, vision, pricing } =
    model;
  return withoutUndefined({
    provider,
    model_id,
    display_name,
    client_type,
    base_url,
    context_window,
    max_tokens,
    vision,
    pricing: pricing && priceOf(pricing),
  });
}

/** The entry of a filled form, or what is wrong with it. `before` is the model being edited. */
export function entryOfDraft(
  draft: Draft,
  before?: ModelView,
): { ok: true; entry: ModelEntryBody } | { ok: false; errors: DraftErrors } {
  const errors: DraftErrors = {};
  const provider = draft.provider.trim();
  const model_id = draft.model_id.trim();
  const base_url = draft.base_url.trim();
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(provider)) errors.provider = "models.error_provider";
  if (provider === "demo") errors.provider = "models.error_provider_demo";
  if (model_id === "") errors.model_id = "models.error_model_id";
  if (base_url !== "" && !/^https?:\/\/[^\s/]+/i.test(base_url)) errors.base_url = "models.error_base_url";
  const context_window = parseCount(draft.context_window);
  if (context_window === null) errors.context_window = "models.error_number";

  const prices = [
    parsePrice(draft.price_input),
    parsePrice(draft.price_cached),
    parsePrice(draft.price_output),
  ] as const;
  const [input, cached, output] = prices;
  if (input === null) errors.price_input = "models.error_price";
  if (cached === null) errors.price_cached = "models.error_price";
  if (output === null) errors.price_output = "models.error_price";
  const priced = prices.some((price) => typeof price === "number");
  if (priced && input === undefined) errors.price_input = "models.error_price_pair";
  if (priced && output === undefined) errors.price_output = "models.error_price_pair";
  if (Object.keys(errors).length > 0) return { ok: false, errors };

  const pricing =
    typeof input === "number" && typeof output === "number"
      ? {
          cache_read: cached ?? input,
          cache_write: input,
          output,
          ...(before?.pricing?.cache_creation === undefined ? {} : { cache_creation: before.pricing.cache_creation }),
        }
      : undefined;
  return {
    ok: true,
    entry: withoutUndefined({
      provider,
      model_id,
      display_name: draft.display_name.trim() || undefined,
      client_type: before?.client_type ?? "openai-chat",
      base_url: base_url || undefined,
      api_key: draft.api_key.trim() || (draft.clear_key ? null : undefined),
      context_window: context_window ?? undefined,
      max_tokens: before?.max_tokens,
      vision: draft.vision || before?.vision !== undefined ? draft.vision : undefined,
      pricing,
    }),
  };
}

/** "128000", "128,000", "128k" or "1M"; undefined for empty, null for nonsense. */
export function parseCount(text: string): number | undefined | null {
  const plain = text.trim().replace(/[,_\s]/g, "");
  if (plain === "") return undefined;
  const match = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(plain);
  if (!match) return null;
  const unit = { k: 1e3, m: 1e6 }[(match[2] ?? "").toLowerCase()] ?? 1;
  const value = Math.round(Number(match[1]) * unit);
  return value > 0 && Number.isSafeInteger(value) ? value : null;
}

function parsePrice(text: string): number | undefined | null {
  const plain = text.trim().replace(/^\$/, "").replace(",", ".");
  if (plain === "") return undefined;
  const value = Number(plain);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

export const samePair = (a: ModelRef, b: ModelRef) => a.provider === b.provider && a.model_id === b.model_id;

/** Would saving send the stored key to another host? Then the server clears it. */
export function hostChanges(before: ModelView, draft: Draft): boolean {
  return host(before.base_url ?? "") !== host(draft.base_url.trim());
}
function host(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function priceOf({ cache_read, cache_write, output, cache_creation }: NonNullable<ModelView["pricing"]>) {
  return withoutUndefined({ cache_read, cache_write, output, cache_creation });
}

/** JSON drops undefined members, but equality in the code does not. */
function withoutUndefined<T extends object>(value: T): T {
  const copy = { ...value };
  for (const key of Object.keys(copy) as (keyof T)[]) if (copy[key] === undefined) delete copy[key];
  return copy;
}
