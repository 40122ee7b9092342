/** What is shown of a model's entry: masked, and with what the catalog adds. Keys never pass. */
import type { CatalogField, ModelRef, ModelView } from "../../lib/api/schemas";
import { catalogModelOf } from "../../lib/model/catalog";
import type { PriceStamp } from "../../lib/omni/message";
import { DEMO_MODEL, DEMO_PROVIDER } from "../llm/demo";
import { shownUrl } from "../llm/url-secrets";
import { addressOf, protocolOf, type StoredModel, samePair } from "./model-table";
import { type Env, isVendorsOwn } from "./vendors";

/** Always resolves and is never stored (RS9). */
export const DEMO: ModelRef = { provider: DEMO_PROVIDER, model_id: DEMO_MODEL };
export const DEMO_WINDOW = 128_000;
/** It costs nothing, which is a price and not the lack of one. */
export const DEMO_PRICE: PriceStamp = { cache_read: 0, cache_write: 0, output: 0 };

/** FF 14: what may be shown of a key. */
export function maskKey(key: string): string {
  return key.length <= 12 ? "***" : `${key.slice(0, 4)}…${key.slice(-4)}`;
}

/** Window, sight and price of a model in force: its own entry wins, the catalog fills what it leaves open. */
export interface Facts {
  context_window?: number;
  vision?: boolean;
  pricing?: PriceStamp;
  from_catalog: CatalogField[];
}

/** The catalog's price holds at the vendor's own address only: a gateway has prices of its own. */
export function factsOf(model: StoredModel, env: Env): Facts {
  const { provider, model_id, context_window, vision, pricing } = model;
  const known = catalogModelOf(provider, model_id);
  const own: Facts = { context_window, vision, pricing: pricing && priceOf(pricing), from_catalog: [] };
  if (!known) return own;
  const facts = { ...own };
  const fill = <K extends "context_window" | "vision" | "pricing">(field: K, value: Facts[K]) => {
    if (own[field] !== undefined || value === undefined) return;
    facts[field] = value;
    facts.from_catalog = [...facts.from_catalog, field];
  };
  fill("context_window", known.context_window);
  fill("vision", known.vision);
  if (isVendorsOwn(provider, addressOf(model, env))) fill("pricing", known.price && priceOf(known.price));
  return facts;
}

function priceOf({ cache_read, cache_write, output, cache_creation }: PriceStamp): PriceStamp {
  return { cache_read, cache_write, output, ...(cache_creation === undefined ? {} : { cache_creation }) };
}

interface Shown {
  env: Env;
  env_key: string | undefined;
  fallback: ModelRef | null;
  vision_model: ModelRef | null;
  /** Only owners see of a key more than that it is there. */
  owner: boolean;
}

export function viewOf(model: StoredModel, { env, env_key, fallback, vision_model, owner }: Shown): ModelView {
  const { provider, model_id, display_name, base_url, max_tokens } = model;
  const { from_catalog, ...facts } = factsOf(model, env);
  const address = addressOf(model, env);
  const view: ModelView = {
    provider,
    model_id,
    display_name,
    client_type: protocolOf(model),
    base_url: base_url && shownUrl(base_url),
    address: address && shownUrl(address),
    max_tokens: max_tokens !== undefined && max_tokens > 0 ? max_tokens : undefined,
    has_key: model.api_key !== undefined || env_key !== undefined,
    ...facts,
    is_default: fallback !== null && samePair(model, fallback),
    ...(from_catalog.length > 0 ? { from_catalog } : {}),
    ...(vision_model && samePair(model, vision_model) ? { is_vision_model: true } : {}),
  };
  if (!owner) return view;
  if (model.api_key) return { ...view, api_key_masked: maskKey(model.api_key), key_created_at: model.created_at };
  return { ...view, env_key };
}

export function demoView(fallback: ModelRef | null): ModelView {
  return {
    ...DEMO,
    display_name: "Demo model",
    client_type: "openai-chat",
    context_window: DEMO_WINDOW,
    vision: false,
    pricing: DEMO_PRICE,
    has_key: false,
    is_default: fallback !== null && samePair(DEMO, fallback),
    demo: true,
  };
}
