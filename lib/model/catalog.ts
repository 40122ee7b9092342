/**
 * What is known about the models of the big vendors: a data file with the address each fact was read at and the day.
 * It fills forms and stands in for what a Project's own entry leaves open; what an entry says always wins. A price
 * that could not be verified is left out: such a model has no price.
 */
import { z } from "zod";
import { THINKING_LEVELS } from "../omni/values";
import data from "./catalog.json";
import { CLIENT_TYPES } from "./protocol";

const httpsUrl = z.string().regex(/^https:\/\/[^\s]+$/);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** USD per million tokens. */
const price = z.strictObject({
  cache_read: z.number().min(0),
  cache_write: z.number().min(0),
  output: z.number().min(0),
  cache_creation: z.number().min(0).optional(),
});

const vendor = z.strictObject({
  id: z.string().regex(/^[a-z]+$/),
  name: z.string(),
  /** Prefix of `<PREFIX>_API_KEY` and `<PREFIX>_BASE_URL`. */
  env: z.string().regex(/^[A-Z]+$/),
  /** The vendor's own addresses; the first one is used when an entry names none. */
  bases: z.array(httpsUrl).min(1),
  /** Of entries that name no protocol. */
  client_type: z.enum(CLIENT_TYPES),
  /** Where a person gets a key. */
  keys_url: httpsUrl,
});

/** Why a flat price is not the whole truth. */
const priceNote = z.discriminatedUnion("kind", [
  /** Prompts of more tokens than this cost `factor` times as much. */
  z.strictObject({ kind: z.literal("long_prompt"), over: z.number().int(), factor: z.number() }),
  /** After this day it costs `factor` times as much. */
  z.strictObject({ kind: z.literal("until"), date: day, factor: z.number() }),
  /** The price of peak hours; other hours cost `factor` of it. */
  z.strictObject({ kind: z.literal("peak"), factor: z.number() }),
]);

const catalogModel = z.strictObject({
  provider: z.string(),
  model_id: z.string(),
  name: z.string(),
  client_type: z.enum(CLIENT_TYPES),
  context_window: z.number().int().positive().optional(),
  /** Largest output. Tokens. */
  max_tokens: z.number().int().positive().optional(),
  vision: z.boolean(),
  /** Levels the vendor names; absent: not stated. */
  thinking: z.array(z.enum(THINKING_LEVELS)).optional(),
  price: price.optional(),
  price_note: priceNote.optional(),
  /** Where it was read, and when. */
  source: httpsUrl,
  checked: day,
});

const catalogFile = z.strictObject({ vendors: z.array(vendor), models: z.array(catalogModel) });

export type Vendor = z.infer<typeof vendor>;
export type CatalogModel = z.infer<typeof catalogModel>;
export type Catalog = z.infer<typeof catalogFile>;

let checked: Catalog | undefined;

/** The catalog, validated at the first call. */
export function catalog(): Catalog {
  checked ??= catalogFile.parse(data);
  return checked;
}

export function vendorOf(provider: string): Vendor | undefined {
  return catalog().vendors.find(({ id }) => id === provider);
}

/** What is known of this pair. */
export function catalogModelOf(provider: string, model_id: string): CatalogModel | undefined {
  return catalog().models.find((model) => model.provider === provider && model.model_id === model_id);
}
