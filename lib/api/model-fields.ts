/** What the members of a model's entry may be, with a sentence for each refusal: what is wrong and what to do. */
import { z } from "zod";
import {
  isKey,
  isPlain,
  MAX_ADDRESS,
  MAX_ID,
  MAX_KEY,
  MAX_NAME,
  MAX_OUTPUT,
  MAX_PRICE,
  MAX_PROVIDER,
  MAX_WINDOW,
} from "../model/limits";

const words = (text: string) => ({ error: text });
const plain = (schema: z.ZodString, what: string) =>
  schema.refine(
    isPlain,
    words(`${what} holds line breaks, control characters or invisible marks. Type it instead of pasting it.`),
  );
const count = (max: number, what: string) => {
  const range = words(`${what} must be a whole number from 1 to ${max.toLocaleString("en")}; leave it out if unknown.`);
  return z.number(range).int(range).min(1, range).max(max, range);
};

export const providerName = plain(
  z
    .string()
    .trim()
    .min(1, words("Name the provider."))
    .max(MAX_PROVIDER, words("The provider's name is longer than 64 characters. Give a shorter one.")),
  "The provider's name",
);
export const modelId = plain(
  z
    .string()
    .trim()
    .min(1, words("Name the model's id."))
    .max(MAX_ID, words(`The model's id is longer than ${MAX_ID} characters. Copy only the id.`)),
  "The model's id",
);
export const displayName = plain(
  z
    .string()
    .trim()
    .max(MAX_NAME, words(`The display name is longer than ${MAX_NAME} characters. Give a shorter one.`)),
  "The display name",
);
export const address = plain(
  z
    .string()
    .trim()
    .max(
      MAX_ADDRESS,
      words(`The base URL is longer than ${MAX_ADDRESS.toLocaleString("en")} characters. Copy only the address.`),
    ),
  "The base URL",
);
/** Blanks around it come with copying and are no part of it. */
export const apiKey = z
  .string()
  .trim()
  .min(1, words("The API key is empty. Leave it out, or enter it."))
  .max(MAX_KEY, words(`The API key is longer than ${MAX_KEY.toLocaleString("en")} characters. Copy only the key.`))
  .refine(
    isKey,
    words(
      "The API key holds a blank, a line break or a character that no key has. Copy it again, and nothing around it.",
    ),
  );
export const outputLimit = count(MAX_OUTPUT, "The largest output");
export const contextWindow = count(MAX_WINDOW, "The context window");

const priceWords = words(
  `A price must be a number from 0 to ${MAX_PRICE.toLocaleString("en")} (USD per million tokens).`,
);
const price = z.number(priceWords).min(0, priceWords).max(MAX_PRICE, priceWords);
/** USD per million tokens. */
export const priceFields = {
  cache_read: price,
  cache_write: price,
  output: price,
  cache_creation: price.optional(),
};
