/** The form of a model as text, and what becomes of it. Pure. */
import type { ModelEntryBody } from "@/lib/api/model-bodies";
import type { ListedModel, ModelRef, ModelView } from "@/lib/api/schemas";
import type { WordKey } from "@/lib/i18n/areas";
import type { CatalogModel } from "@/lib/model/catalog";
import { isKey, isPlain, MAX_ADDRESS, MAX_ID, MAX_NAME, MAX_OUTPUT, MAX_PRICE, MAX_WINDOW } from "@/lib/model/limits";
import type { ClientType } from "@/lib/model/protocol";

export interface Draft {
  provider: string;
  model_id: string;
  display_name: string;
  client_type: ClientType;
  base_url: string;
  /** Empty: none, or the stored one stays. */
  api_key: string;
  clear_key: boolean;
  /** Empty numbers: the catalog's, if it has any. */
  context_window: string;
  max_tokens: string;
  price_input: string;
  price_cached: string;
  price_creation: string;
  price_output: string;
  vision: boolean;
  make_default: boolean;
}
export type DraftField = Exclude<keyof Draft, "client_type" | "clear_key" | "vision" | "make_default">;
export type DraftErrors = Partial<Record<DraftField, WordKey>>;

export function emptyDraft(makeDefault: boolean): Draft {
  return {
    provider: "",
    model_id: "",
    display_name: "",
    client_type: "openai-chat",
    base_url: "",
    api_key: "",
    clear_key: false,
    context_window: "",
    max_tokens: "",
    price_input: "",
    price_cached: "",
    price_creation: "",
    price_output: "",
    vision: false,
    make_default: makeDefault,
  };
}

const shown = (value: number | undefined) => (value === undefined ? "" : String(value));

function priceTexts(pricing: ModelView["pricing"]) {
  return {
    price_input: shown(pricing?.cache_write),
    price_cached: shown(pricing?.cache_read),
    price_creation: shown(pricing?.cache_creation),
    price_output: shown(pricing?.output),
  };
}

/** What an entry says itself; what it leaves to the catalog stays empty. */
export function draftOf(model: ModelView): Draft {
  const own = ownValues(model);
  return {
    ...emptyDraft(model.is_default),
    provider: model.provider,
    model_id: model.model_id,
    display_name: model.display_name ?? "",
    client_type: model.client_type,
    base_url: model.base_url ?? "",
    context_window: shown(own.context_window),
    max_tokens: shown(model.max_tokens),
    ...priceTexts(own.pricing),
    // An entry that says nothing sees.
    vision: model.vision ?? true,
  };
}

/** A model that an endpoint lists, or whose id was typed. What the catalog knows is left to it. */
export function draftOfPick(where: Partial<Draft>, pick: ListedModel, known: CatalogModel | undefined): Draft {
  return {
    ...emptyDraft(false),
    ...where,
    model_id: pick.id,
    display_name: known?.name ?? (pick.display_name === pick.id ? "" : (pick.display_name ?? "")),
    context_window: known?.context_window ? "" : shown(pick.context_window),
    ...(known?.price ? {} : priceTexts(pick.pricing)),
    // A model that nobody knows gets images as paths: sent to one that does not see they would be refused.
    vision: known?.vision ?? pick.vision ?? false,
  };
}

function ownValues({ context_window, vision, pricing, from_catalog = [] }: ModelView) {
  return {
    context_window: from_catalog.includes("context_window") ? undefined : context_window,
    vision: from_catalog.includes("vision") ? undefined : vision,
    pricing: from_catalog.includes("pricing") ? undefined : pricing,
  };
}

/** What the server takes for a model that is not being edited: everything it says itself, without touching the key. */
export function entryOf(model: ModelView): ModelEntryBody {
  const { provider, model_id, display_name, client_type, base_url, max_tokens } = model;
  const { context_window, vision, pricing } = ownValues(model);
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

interface Around {
  /** The model being edited. */
  before?: ModelView;
  known?: CatalogModel;
  /** Whose stored key a new entry may copy. */
  key_from?: ModelRef;
}

/** The entry of a filled form, or what is wrong with it. */
export function entryOfDraft(
  draft: Draft,
  { before, known, key_from }: Around = {},
): { ok: true; entry: ModelEntryBody } | { ok: false; errors: DraftErrors } {
  const errors: DraftErrors = {};
  const provider = draft.provider.trim();
  const model_id = draft.model_id.trim();
  const base_url = draft.base_url.trim();
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(provider)) errors.provider = "models.error_provider";
  if (provider === "demo") errors.provider = "models.error_provider_demo";
  if (model_id === "") errors.model_id = "models.error_model_id";
  else if (!isPlain(model_id) || model_id.length > MAX_ID) errors.model_id = "models.error_text";
  const display_name = draft.display_name.trim();
  if (!isPlain(display_name) || display_name.length > MAX_NAME) errors.display_name = "models.error_text";
  if (base_url !== "" && !/^https?:\/\/[^\s/]+/i.test(base_url)) errors.base_url = "models.error_base_url";
  else if (!isPlain(base_url) || base_url.length > MAX_ADDRESS) errors.base_url = "models.error_text";
  const key = draft.api_key.trim();
  if (key !== "" && !isKey(key)) errors.api_key = "models.error_key";
  const context_window = parseCount(draft.context_window, MAX_WINDOW);
  const max_tokens = parseCount(draft.max_tokens, MAX_OUTPUT);
  if (context_window === null) errors.context_window = "models.error_number";
  if (max_tokens === null) errors.max_tokens = "models.error_number";
  const pricing = pricingOf(draft, errors);
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const api_key = key || (draft.clear_key ? null : undefined);
  return {
    ok: true,
    entry: withoutUndefined({
      provider,
      model_id,
      display_name: display_name || undefined,
      client_type: draft.client_type,
      base_url: base_url || undefined,
      api_key,
      key_from: !before && api_key === undefined ? key_from && refOf(key_from) : undefined,
      context_window: context_window ?? undefined,
      max_tokens: max_tokens ?? undefined,
      vision: known && known.vision === draft.vision ? undefined : draft.vision,
      pricing,
    }),
  };
}

/** Input and output belong together; cached input costs as much as other input when it is not given. */
function pricingOf(draft: Draft, errors: DraftErrors): ModelEntryBody["pricing"] {
  const read = (field: "price_input" | "price_cached" | "price_creation" | "price_output") => {
    const value = parsePrice(draft[field]);
    if (value === null) errors[field] = "models.error_price";
    return value ?? undefined;
  };
  const [input, cached, creation, output] = [
    read("price_input"),
    read("price_cached"),
    read("price_creation"),
    read("price_output"),
  ];
  if ([input, cached, creation, output].every((price) => price === undefined)) return undefined;
  if (input === undefined) errors.price_input ??= "models.error_price_pair";
  if (output === undefined) errors.price_output ??= "models.error_price_pair";
  if (input === undefined || output === undefined) return undefined;
  return priceOf({ cache_read: cached ?? input, cache_write: input, output, cache_creation: creation });
}

/** "128000", "128,000", "128k" or "1M"; undefined for empty, null for nonsense. */
export function parseCount(text: string, max = Number.MAX_SAFE_INTEGER): number | undefined | null {
  const plain = text.trim().replace(/[,_\s]/g, "");
  if (plain === "") return undefined;
  const match = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(plain);
  if (!match) return null;
  const unit = { k: 1e3, m: 1e6 }[(match[2] ?? "").toLowerCase()] ?? 1;
  const value = Math.round(Number(match[1]) * unit);
  return value > 0 && value <= max ? value : null;
}

function parsePrice(text: string): number | undefined | null {
  const plain = text.trim().replace(/^\$/, "").replace(",", ".");
  if (plain === "") return undefined;
  const value = Number(plain);
  return Number.isFinite(value) && value >= 0 && value <= MAX_PRICE ? value : null;
}

export const samePair = (a: ModelRef, b: ModelRef) => a.provider === b.provider && a.model_id === b.model_id;
export const refOf = ({ provider, model_id }: ModelRef): ModelRef => ({ provider, model_id });

/** Would saving send the stored key to another host? Then the server clears it. */
export function hostChanges(before: ModelView, draft: Draft): boolean {
  const typed = draft.base_url.trim();
  if (typed === (before.base_url ?? "")) return false;
  return hostOf(before.address ?? before.base_url) !== hostOf(typed);
}

/** Host and port of an address; the text itself when it is none. */
export function hostOf(url = ""): string {
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
