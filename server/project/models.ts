/** Models and credentials of a Project. Keys are written here and never returned. */

import type { z } from "zod";
import { AppError } from "../../lib/api/errors";
import type { DetectModelsBody, ModelEntryBody, putModelsBody } from "../../lib/api/model-bodies";
import type { DetectResult, LocalServer, ModelRef, ModelsView, ModelTestResult } from "../../lib/api/schemas";
import type { ClientType } from "../../lib/model/protocol";
import type { PriceStamp, ThinkingLevel } from "../../lib/omni/message";
import { normaliseBaseUrl } from "../llm/base-url";
import { DEMO_PROVIDER } from "../llm/demo";
import { urlSecrets } from "../llm/url-secrets";
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
import { DEMO, DEMO_PRICE, DEMO_WINDOW, demoView, factsOf, viewOf } from "./model-view";
import { type Env, envKeyFor, isVendorsOwn, originOf } from "./vendors";

/** One model, ready to be called. Holds its key: stays inside the server. */
export interface ResolvedModel {
  provider: string;
  model_id: string;
  client_type: ClientType;
  base_url?: string;
  api_key?: string;
  /** When its own key was entered, an ISO time; absent: it has none, or one from the environment. */
  key_since?: string;
  max_tokens?: number;
  vision?: boolean;
  context_window?: number;
  pricing?: PriceStamp;
  /** Entered by somebody who may not use private addresses: only public ones are connected to. */
  public_only?: boolean;
}

/** How an address is asked; `public_only` as above. */
export type Detect = (address: string, api_key: string | undefined, public_only: boolean) => Promise<DetectResult>;

export interface ModelsOptions {
  env: Env;
  test(model: ResolvedModel): Promise<ModelTestResult>;
  detect?: Detect;
  /** Model servers on this machine. */
  local?(): Promise<LocalServer[]>;
}

export class Models {
  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
    private readonly allowances: Allowances,
    private readonly options: ModelsOptions,
  ) {}

  /** `owner`: with what only owners see of keys, and what is wrong in the file. */
  async view(project: string, owner = false): Promise<ModelsView> {
    const table = await this.table(project);
    const envAllowed = (await this.allowances.of(project)).env_keys;
    const fallback = await this.defaultModel(project);
    const vision_model = table.vision_model ?? null;
    const { env } = this.options;
    const views = table.models.map((model) =>
      viewOf(model, { env, env_key: this.envKey(model, envAllowed), fallback, vision_model, owner }),
    );
    if (!this.hasCredential(table, envAllowed)) views.push(demoView(fallback));
    return {
      default_model: fallback,
      vision_model,
      thinking_level: table.thinking_level ?? null,
      models: views,
      ...(owner && table.problems.length > 0 ? { problems: table.problems } : {}),
    };
  }

  /** The model of a Session that names none: the chosen one, else the first that can be called, else the demo. */
  async defaultModel(project: string): Promise<ModelRef | null> {
    const table = await this.table(project);
    const chosen = table.default_model;
    if (chosen && table.models.some((model) => samePair(model, chosen))) return chosen;
    if (chosen?.provider === DEMO_PROVIDER) return DEMO;
    const envAllowed = (await this.allowances.of(project)).env_keys;
    if (!this.hasCredential(table, envAllowed)) return DEMO;
    const first = table.models.find((model) => this.callable(model, envAllowed)) ?? table.models[0];
    return first ? { provider: first.provider, model_id: first.model_id } : null;
  }

  /** The model that looks at images for models that do not see; null: none was chosen. */
  async visionModel(project: string): Promise<ModelRef | null> {
    const { vision_model } = await this.table(project);
    return vision_model ?? null;
  }

  /** How hard Sessions think that choose nothing themselves; null: their Agent decides. */
  async thinkingLevel(project: string): Promise<ThinkingLevel | null> {
    return (await this.table(project)).thinking_level ?? null;
  }

  /** Is any model of this provider set up? */
  async knowsProvider(project: string, provider: string): Promise<boolean> {
    return (
      provider === DEMO_PROVIDER || (await this.table(project)).models.some((model) => model.provider === provider)
    );
  }

  /** null: no such pair. Provider `demo` always resolves (RS9). Throws `forbidden` for an address that turned private. */
  async resolve(project: string, provider: string, model_id: string): Promise<ResolvedModel | null> {
    if (provider === DEMO_PROVIDER) {
      const facts = { context_window: DEMO_WINDOW, vision: false, pricing: DEMO_PRICE };
      return { provider, model_id, client_type: "openai-chat", ...facts };
    }
    const { models } = await this.table(project);
    const model = models.find((entry) => samePair(entry, { provider, model_id }));
    if (!model) return null;
    const allowed = await this.allowances.of(project);
    const public_only = model.public_only === true && !allowed.private_addresses;
    if (public_only) await this.refusePrivate(addressOf(model, this.options.env));
    return { ...this.ready(model, allowed.env_keys), ...(public_only ? { public_only } : {}) };
  }

  /** Every key with which the Project's models are called, and what is hidden in their addresses: to be masked. */
  async secrets(project: string): Promise<string[]> {
    const { env_keys } = await this.allowances.of(project);
    return (await this.table(project)).models.flatMap((model) => {
      const { api_key, base_url } = this.ready(model, env_keys);
      return [...(api_key ? [api_key] : []), ...(base_url ? urlSecrets(base_url) : [])];
    });
  }

  /** Replaces the whole table. Throws `bad_request`, `invalid_base_url` or `forbidden`; then nothing is changed. */
  async put(project: string, body: z.infer<typeof putModelsBody>, person: { admin: boolean }): Promise<ModelsView> {
    const given = body.models.filter((entry) => entry.provider !== DEMO_PROVIDER);
    refuseDuplicates(given);
    const mayPrivate = person.admin || (await this.allowances.of(project)).private_addresses;
    if (!mayPrivate) await this.refuseNewPrivate(await this.table(project), given);
    await this.files.update(this.layout.projectConfig(project), (file) => {
      const before = parseTable(file);
      if (before.problems.some(({ entry }) => entry === 0)) throw new AppError("bad_request", NO_LIST);
      const models = given.map((entry) => {
        const old = before.models.find((model) => samePair(model, entry));
        const next = nextEntry(before, entry, this.options.env);
        const moved = addressOf(next, this.options.env) !== (old && addressOf(old, this.options.env));
        return moved ? { ...next, public_only: mayPrivate ? undefined : true } : next;
      });
      const table = {
        ...file,
        ...references(file, body, before, models),
        ...withThinking(file, body.thinking_level),
        models: [...models, ...before.kept],
      };
      return { table, result: undefined };
    });
    return this.view(project, true);
  }

  /** One small Request to a model as it stands in the form. An absent key means the stored one, if the host is the same. */
  async test(project: string, entry: ModelEntryBody, person: { admin: boolean }): Promise<ModelTestResult> {
    if (entry.provider === DEMO_PROVIDER) return { ok: true, message: "The demo model answers without a network." };
    const allowed = await this.allowances.of(project);
    const table = await this.table(project);
    const before = table.models.find((model) => samePair(model, entry));
    const model = nextEntry(table, entry, this.options.env);
    const public_only = !person.admin && !allowed.private_addresses && !this.stands(before, model);
    if (public_only && (await resolvesToPrivate(addressOf(model, this.options.env) ?? ""))) {
      return { ok: false, message: PRIVATE };
    }
    return this.options.test({ ...this.ready(model, allowed.env_keys), public_only });
  }

  /**
   * What an address speaks and which models it has. An absent key means the stored one of this provider for the same
   * host, else the environment's, with the same rules as for a Task.
   */
  async detect(project: string, asked: DetectModelsBody, person: { admin: boolean }): Promise<DetectResult> {
    const address = normaliseBaseUrl(asked.base_url);
    if (!address.ok) return { found: [], needs_key: false, message: address.message };
    const allowed = await this.allowances.of(project);
    const public_only = !person.admin && !allowed.private_addresses;
    if (public_only && (await resolvesToPrivate(address.url))) return { found: [], needs_key: false, message: PRIVATE };
    const key = asked.api_key ?? (await this.keyFor(project, address.url, asked.provider ?? "", allowed.env_keys));
    const detect = this.options.detect;
    return detect ? detect(asked.base_url, key, public_only) : { found: [], needs_key: false };
  }

  /** Model servers that answer on this machine's loopback. */
  async local(): Promise<LocalServer[]> {
    return (await this.options.local?.()) ?? [];
  }

  private async keyFor(project: string, address: string, provider: string, envAllowed: boolean) {
    const { env } = this.options;
    const { models } = await this.table(project);
    const sameHost = (model: StoredModel) => originOf(addressOf(model, env)) === originOf(address);
    const stored = models.find((model) => model.provider === provider && model.api_key && sameHost(model));
    const name = envAllowed ? envKeyFor(provider, address, env) : null;
    return stored?.api_key ?? (name ? env[name] : undefined);
  }

  /** Does it go where the stored entry goes? What an admin entered may be tested by an owner. */
  private stands(before: StoredModel | undefined, model: StoredModel): boolean {
    if (!before || before.public_only) return false;
    return addressOf(before, this.options.env) === addressOf(model, this.options.env);
  }

  private async table(project: string): Promise<ModelTable> {
    return parseTable(await this.files.read(this.layout.projectConfig(project)));
  }

  private envKey(model: StoredModel, allowed: boolean): string | undefined {
    const { env } = this.options;
    return allowed ? (envKeyFor(model.provider, addressOf(model, env), env) ?? undefined) : undefined;
  }

  /** It has a key, or needs none as far as anybody can tell: a server of one's own. */
  private callable(model: StoredModel, envAllowed: boolean): boolean {
    if (model.api_key !== undefined || this.envKey(model, envAllowed) !== undefined) return true;
    return model.base_url !== undefined && !isVendorsOwn(model.provider, model.base_url);
  }

  private hasCredential(table: ModelTable, envAllowed: boolean): boolean {
    return table.models.some((model) => this.callable(model, envAllowed));
  }

  private ready(model: StoredModel, envAllowed: boolean): ResolvedModel {
    const { provider, model_id, max_tokens } = model;
    const { context_window, vision, pricing } = factsOf(model, this.options.env);
    const name = this.envKey(model, envAllowed);
    return {
      provider,
      model_id,
      client_type: protocolOf(model),
      base_url: addressOf(model, this.options.env),
      api_key: model.api_key ?? (name ? this.options.env[name] : undefined),
      ...(model.api_key && model.created_at ? { key_since: model.created_at } : {}),
      max_tokens,
      vision,
      context_window,
      pricing,
    };
  }

  private async refuseNewPrivate(before: ModelTable, given: ModelEntryBody[]): Promise<void> {
    for (const entry of given) {
      const old = before.models.find((model) => samePair(model, entry));
      const next = addressOf(nextEntry(before, entry, this.options.env), this.options.env);
      if (next !== (old && addressOf(old, this.options.env))) await this.refusePrivate(next);
    }
  }

  private async refusePrivate(address: string | undefined): Promise<void> {
    if (address && (await resolvesToPrivate(address))) throw new AppError("forbidden", PRIVATE);
  }
}

const NO_LIST = "In the Project's config file `models` is not a list. Correct the file; nothing was saved.";
const PRIVATE = "This address lies in a private network. An admin can add it, or allow it for this Project.";

/** `[default_chat]` keeps what else stands in it; undefined changes nothing. */
function withThinking(file: Record<string, unknown> | null, level: ThinkingLevel | null | undefined) {
  if (level === undefined) return {};
  const before = file?.default_chat;
  const chat = typeof before === "object" && before !== null ? { ...before } : {};
  return { default_chat: { ...chat, thinking_level: level ?? undefined } };
}

function refuseDuplicates(models: ModelEntryBody[]): void {
  const seen = new Set<string>();
  for (const { provider, model_id } of models) {
    const key = JSON.stringify([provider, model_id]);
    if (seen.has(key)) throw new AppError("bad_request", `${provider} / ${model_id} stands in the table twice.`);
    seen.add(key);
  }
}

/** The default and the vision model. What the file says of them and cannot be read stays, as long as nobody sets them. */
function references(
  file: Record<string, unknown> | null,
  body: z.infer<typeof putModelsBody>,
  before: ModelTable,
  models: StoredModel[],
): Record<string, unknown> {
  const of = (name: "default_model" | "vision_model") =>
    body[name] === undefined && before[name] === undefined
      ? file?.[name]
      : reference(name, body[name], before[name], models);
  return { default_model: of("default_model"), vision_model: of("vision_model") };
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
