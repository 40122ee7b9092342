/** Bodies of the routes of models. Browser code imports only the types. */
import { z } from "zod";
import { CLIENT_TYPES } from "../model/protocol";
import { thinkingLevel } from "../omni/message";
import {
  address,
  apiKey,
  contextWindow,
  displayName,
  modelId,
  outputLimit,
  priceFields,
  providerName,
} from "./model-fields";
import { modelRef } from "./schemas";

/** PUT models: one entry. `api_key` absent keeps the stored key, null clears it; keys are never returned. */
export const modelEntryBody = z.strictObject({
  provider: providerName,
  model_id: modelId,
  display_name: displayName.optional(),
  client_type: z.enum(CLIENT_TYPES).optional(),
  /** A value of its query that is shown as `***` stays what is stored. */
  base_url: address.optional(),
  api_key: apiKey.nullable().optional(),
  /** Without a key of its own: a copy of this entry's stored one, if it goes to the same host. */
  key_from: modelRef.optional(),
  context_window: contextWindow.optional(),
  max_tokens: outputLimit.optional(),
  vision: z.boolean().optional(),
  pricing: z.strictObject(priceFields).optional(),
});
export type ModelEntryBody = z.infer<typeof modelEntryBody>;
export const putModelsBody = z.strictObject({
  default_model: modelRef.nullable().optional(),
  vision_model: modelRef.nullable().optional(),
  /** Of Sessions and Agents that choose none; null clears. */
  thinking_level: thinkingLevel.nullable().optional(),
  models: z.array(modelEntryBody).max(500),
});
export const testModelBody = modelEntryBody;
/** POST models/detect. Without a key the provider's stored one is used, if the host is the same. */
export const detectModelsBody = z.strictObject({
  base_url: address.min(1, "Enter the base URL."),
  provider: providerName.optional(),
  api_key: apiKey.optional(),
});
export type DetectModelsBody = z.infer<typeof detectModelsBody>;
export const modelUsesQuery = z.object({ provider: z.string(), model_id: z.string() });
