/** Models and credentials of a Project. Keys are written here and never returned. */

import type { z } from "zod";
import { AppError } from "../../lib/api/errors";
import type {
  ModelEntryBody,
  ModelRef,
  ModelsView,
  ModelTestResult,
  ModelView,
  putModelsBody,
} from "../../lib/api/schemas";
import type { ClientType } from "../../lib/model/protocol";
import { DEMO_MODEL, DEMO_PROVIDER } from "../llm/demo";
import { resolvesToPrivate } from "../net/addresses";
import type { Layout } from "../paths";
import type { TomlFiles } from "../toml-file";
import type { Allowances } from "./allowances";
import {
  addressOf,
  type ModelTable,
  nextEntry,
  parseTable,
  protocolOf,
  type StoredModel,
  samePair,
} from "./model-table";
import { type Env, envKeyFor } from "./vendors";

/** Always resolves and is never stored (RS9). */
const DEMO: ModelRef = { provider: DEMO_PROVIDER, model_id: DEMO_MODEL };
const DEMO_WINDOW = 128_000;

/** One model, ready to be called. Holds its key: stays inside the server. */
export interface ResolvedModel {
  provider: string;
  model_id: string;
  client_type: ClientType;
  base_url?: string;
  api_key?: string;
  max_tokens?: number;
  vision?: boolean;
  context_window?: number;
  pricing?: { cache_read: number; cache_write: number; output: number; cache_creation?: number };
}

export interface ModelsOptions {
  env: Env;
  test(model: ResolvedModel): Promise<ModelTestResult>;
}

/** FF 14: what may be shown of a key. */
export function maskKey(key: string): string {
  return key.length <= 12 ? "***" : `${key.slice(0, 4)}…${key.slice(-4)}`;
}

export class Models {
  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
    private readonly allowances: Allowances,
    private readonly options: ModelsOptions,
  ) {}

  async view(project: string): Promise<ModelsView> {
    const table = await this.table(project);
    const envAllowed = (await this.allowances.of(project)).env_keys;
    const fallback = await this.defaultModel(project);
    const views = table.models.map((model) => this.viewOf(model, envAllowed, fallback));
    if (!this.hasCredential(table, envAllowed)) views.push(demoView(fallback));
    return { default_model: fallback, models: views };
  }

  /** The model of a Session that names none: the chosen one, else the first that can be called, else the demo. */
  async defaultModel(project: string): Promise<ModelRef | null> {
    const table = await this.table(project);
    const chosen = table.default_model;
    if (chosen && table.models.some((model) => samePair(model, chosen))) return chosen;
    if (chosen?.provider === DEMO_PROVIDER) return DEMO;
    const envAllowed = (await this.allowances.of(project)).env_keys;
    if (!this.hasCredential(table, envAllowed)) return DEMO;
    const first = table.models.find((model) => model.api_key ?? this.envKey(model, envAllowed)) ?? table.models[0];
    return first ? { provider: first.provider, model_id: first.model_id } : null;
  }

  /** The model that looks at images for models that do not see; null: none was chosen. */
  async visionModel(project: string): Promise<ModelRef | null> {
    const { vision_model } = await this.table(project);
    return vision_model ?? null;
  }

  /** null: no such pair. Provider `demo` always resolves (RS9). Throws `forbidden` for an address that turned private. */
  async resolve(project: string, provider: string, model_id: string): Promise<ResolvedModel | null> {
    if (provider === DEMO_PROVIDER) {
      return { provider, model_id, client_type: "openai-chat", context_window: DEMO_WINDOW, vision: false };
    }
    const { models } = await this.table(project);
    const model = models.find((entry) => samePair(entry, { provider, model_id }));
    if (!model) return null;
    const allowed = await this.allowances.of(project);
    if (model.public_only && !allowed.private_addresses) await this.refusePrivate(addressOf(model, this.options.env));
    return this.ready(model, allowed.env_keys);
  }

  /** Replaces the whole table. Throws `bad_request`, `invalid_base_url` or `forbidden`; then nothing is changed. */
  async put(project: string, body: z.infer<typeof putModelsBody>, person: { admin: boolean }): Promise<ModelsView> {
    const given = body.models.filter((entry) => entry.provider !== DEMO_PROVIDER);
    refuseDuplicates(given);
    const mayPrivate = person.admin || (await this.allowances.of(project)).private_addresses;
    if (!mayPrivate) await this.refuseNewPrivate(await this.table(project), given);
    await this.files.update(this.layout.projectConfig(project), (file) => {
      const before = parseTable(file);
      const models = given.map((entry) => {
        const old = before.models.find((model) => samePair(model, entry));
        const next = nextEntry(old, entry, this.options.env);
        const moved = addressOf(next, this.options.env) !== (old && addressOf(old, this.options.env));
        return moved ? { ...next, public_only: mayPrivate ? undefined : true } : next;
      });
      const table = {
        ...file,
        default_model: reference("default_model", body.default_model, before.default_model, models),
        vision_model: reference("vision_model", body.vision_model, before.vision_model, models),
        models,
      };
      return { table, result: undefined };
    });
    return this.view(project);
  }

  /** One small Request to a model as it stands in the form. An absent key means the stored one, if the host is the same. */
  async test(project: string, entry: ModelEntryBody, person: { admin: boolean }): Promise<ModelTestResult> {
    if (entry.provider === DEMO_PROVIDER) return { ok: true, message: "The demo model answers without a network." };
    const allowed = await this.allowances.of(project);
    const { models } = await this.table(project);
    const before = models.find((model) => samePair(model, entry));
    const model = nextEntry(before, entry, this.options.env);
    if (!person.admin && !allowed.private_addresses) {
      if (await resolvesToPrivate(addressOf(model, this.options.env) ?? "")) return { ok: false, message: PRIVATE };
    }
    return this.options.test(this.ready(model, allowed.env_keys));
  }

  private async table(project: string): Promise<ModelTable> {
    return parseTable(await this.files.read(this.layout.projectConfig(project)));
  }

  private envKey(model: StoredModel, allowed: boolean): string | undefined {
    const { env } = this.options;
    return allowed ? (envKeyFor(model.provider, addressOf(model, env), env) ?? undefined) : undefined;
  }

  private hasCredential(table: ModelTable, envAllowed: boolean): boolean {
    return table.models.some((model) => model.api_key !== undefined || this.envKey(model, envAllowed) !== undefined);
  }

  private ready(model: StoredModel, envAllowed: boolean): ResolvedModel {
    const { provider, model_id, max_tokens, vision, context_window, pricing } = model;
    const name = this.envKey(model, envAllowed);
    return {
      provider,
      model_id,
      client_type: protocolOf(model),
      base_url: addressOf(model, this.options.env),
      api_key: model.api_key ?? (name ? this.options.env[name] : undefined),
      max_tokens,
      vision,
      context_window,
      pricing: pricing && priceOf(pricing),
    };
  }

  private viewOf(model: StoredModel, envAllowed: boolean, fallback: ModelRef | null): ModelView {
    const { provider, model_id, display_name, base_url, context_window, max_tokens, vision, pricing } = model;
    const view: ModelView = {
      provider,
      model_id,
      display_name,
      client_type: protocolOf(model),
      base_url,
      context_window,
      max_tokens,
      vision,
      pricing: pricing && priceOf(pricing),
      is_default: fallback !== null && samePair(model, fallback),
    };
    if (model.api_key) return { ...view, api_key_masked: maskKey(model.api_key), key_created_at: model.created_at };
    return { ...view, env_key: this.envKey(model, envAllowed) };
  }

  private async refuseNewPrivate(before: ModelTable, given: ModelEntryBody[]): Promise<void> {
    for (const entry of given) {
      const old = before.models.find((model) => samePair(model, entry));
      const next = addressOf(nextEntry(old, entry, this.options.env), this.options.env);
      if (next !== (old && addressOf(old, this.options.env))) await this.refusePrivate(next);
    }
  }

  private async refusePrivate(address: string | undefined): Promise<void> {
    if (address && (await resolvesToPrivate(address))) throw new AppError("forbidden", PRIVATE);
  }
}

const PRIVATE = "This address lies in a private network. An admin can add it, or allow it for this Project.";

function priceOf({ cache_read, cache_write, output, cache_creation }: NonNullable<ResolvedModel["pricing"]>) {
  return { cache_read, cache_write, output, ...(cache_creation === undefined ? {} : { cache_creation }) };
}

function demoView(fallback: ModelRef | null): ModelView {
  return {
    ...DEMO,
    display_name: "Demo model",
    client_type: "openai-chat",
    context_window: DEMO_WINDOW,
    vision: false,
    is_default: fallback !== null && samePair(DEMO, fallback),
    demo: true,
  };
}

function refuseDuplicates(models: ModelEntryBody[]): void {
  const seen = new Set<string>();
  for (const { provider, model_id } of models) {
    const key = JSON.stringify([provider, model_id]);
    if (seen.has(key)) throw new AppError("bad_request", `${provider} / ${model_id} stands in the table twice.`);
    seen.add(key);
  }
}

/** Given: must be in the table. Absent: the stored one stays while it is in the table. null clears. */
function reference(
  name: string,
  given: ModelRef | null | undefined,
  stored: ModelRef | undefined,
  models: StoredModel[],
): ModelRef | undefined {
  const exists = (ref: ModelRef) => ref.provider === DEMO_PROVIDER || models.some((model) => samePair(model, ref));
  if (given === null) return undefined;
  if (given === undefined) return stored && exists(stored) ? stored : undefined;
  const target = models.find((model) => samePair(model, given));
  if (!exists(given)) throw new AppError("bad_request", `${name}: this model is not in the table.`);
  if (name === "vision_model" && target?.vision === false) {
    throw new AppError("bad_request", "vision_model: this model cannot see images.");
  }
  return { provider: given.provider, model_id: given.model_id };
}
