/** Agents on disk: the folder, its Agent State, and what a Session needs from both. */
import { mkdir, stat } from "node:fs/promises";
import { parse as parseToml } from "smol-toml";
import { parseDocument } from "yaml";
import { AppError } from "../../lib/api/errors";
import type { AgentView } from "../../lib/api/schemas";
import { createFile, listNames, readText, replaceFile } from "../files";
import { Going } from "../going";
import { type AgentRef, DEFAULT_AGENT, isGenericId, isNewId, type Layout } from "../paths";
import { type AgentConfig, type LoadedConfig, parseConfig } from "./config";
import { defaultConfig } from "./defaults";
import { buildSystemPrompt, type PromptFacts } from "./prompt";
import { readSkills } from "./skills";

const MAX_TEXT = 4 * 1024 * 1024;
const VAULT_KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;

export class Agents {
  readonly #going = new Going();
  constructor(private readonly layout: Layout) {}

  async exists(ref: AgentRef): Promise<boolean> {
    if (!isGenericId(ref.project) || !isGenericId(ref.agent)) return false;
    const info = await stat(this.layout.agent(ref)).catch(() => null);
    return info?.isDirectory() ?? false;
  }

  async list(project: string): Promise<AgentView[]> {
    const ids = (await listNames(this.layout.agents(project))).filter(isGenericId);
    const views = await Promise.all(ids.map((agent) => this.view({ project, agent }).catch(() => null)));
    return views.filter((view) => view !== null);
  }

  /** Throws `not_found`. An Agent whose config cannot be read is shown by its id. */
  async view(ref: AgentRef): Promise<AgentView> {
    if (!(await this.exists(ref))) throw new AppError("not_found");
    const loaded = await this.config(ref);
    const config = loaded.ok ? loaded.config : null;
    return {
      id: ref.agent,
      name: config?.name || ref.agent,
      ...(config?.description ? { description: config.description } : {}),
    };
  }

  /** Makes a new Agent. Throws `invalid_id` or `exists`. */
  async create(ref: AgentRef, given: { name?: string; description?: string } = {}): Promise<void> {
    if (!isNewId(ref.agent)) throw new AppError("invalid_id");
    if (this.#going.has(this.layout.agent(ref))) throw new AppError("exists");
    await mkdir(this.layout.agents(ref.project), { recursive: true, mode: 0o700 });
    await mkdir(this.layout.agent(ref), { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? new AppError("exists") : error;
    });
    await this.ensure(ref, given);
  }

  /** Makes what is missing of an Agent; the config comes last, its presence means "initialised". */
  async ensure(ref: AgentRef, given: { name?: string; description?: string } = {}): Promise<void> {
    for (const folder of [this.layout.tools(ref), this.layout.memory(ref), this.layout.skills(ref)]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    await createFile(this.layout.instructions(ref), "");
    await createFile(this.layout.systemConfig(ref), defaultConfig(given));
  }

  /** Changes name or description; comments of the file stay. */
  async patch(ref: AgentRef, values: { name?: string; description?: string }): Promise<AgentView> {
    const text = await readText(this.layout.systemConfig(ref), MAX_TEXT);
    if (text === null) throw new AppError("not_found");
    const document = parseDocument(text);
    if (document.errors.length > 0) throw new AppError("bad_request", "The Agent's config is not valid YAML.");
    if (values.name !== undefined) document.set("name", values.name);
    if (values.description !== undefined) document.set("description", values.description);
    await replaceFile(this.layout.systemConfig(ref), document.toString({ lineWidth: 0 }));
    return this.view(ref);
  }

  /** Removes the Agent with its Traces, once `stop` ended its Sessions. It is out of sight before the first file goes. */
  async remove(ref: AgentRef, stop: () => Promise<void>): Promise<void> {
    if (ref.agent === DEFAULT_AGENT) throw new AppError("forbidden", "The default Agent cannot be deleted.");
    if (!(await this.exists(ref))) throw new AppError("not_found");
    await this.#going.remove(this.layout.agent(ref), ref.agent, stop);
  }

  /** The config, or one sentence that says why it cannot be used. */
  async config(ref: AgentRef): Promise<LoadedConfig> {
    const text = await readText(this.layout.systemConfig(ref), MAX_TEXT).catch(() => null);
    return text === null ? { ok: false, message: "It does not exist or cannot be read." } : parseConfig(text);
  }

  /** The system prompt of a new Session. */
  async systemPrompt(
    ref: AgentRef,
    config: AgentConfig,
    run: Pick<PromptFacts, "workspace" | "provider" | "model_id" | "session_id" | "shell" | "at">,
  ): Promise<string> {
    return buildSystemPrompt(config.system_prompt, {
      ...run,
      agents_md: (await readText(this.layout.instructions(ref), MAX_TEXT)) ?? "",
      vault_keys: Object.keys(await this.vault(ref)),
      skills: await readSkills(this.layout.skills(ref)),
      project_dir: this.layout.project(ref.project),
      agent_id: ref.agent,
      scratchpad: this.layout.scratchpad(ref, run.session_id),
      shared_env: this.layout.sharedEnv(ref),
      skills_dir: this.layout.skills(ref),
    });
  }

  /** Names and descriptions of its skills. */
  skills(ref: AgentRef): Promise<{ name: string; description: string }[]> {
    return readSkills(this.layout.skills(ref));
  }

  /** Environment of the Agent's commands; bad keys and values that are no texts are ignored. */
  async vault(ref: AgentRef): Promise<Record<string, string>> {
    const text = await readText(this.layout.vault(ref), MAX_TEXT);
    if (text === null) return {};
    let table: Record<string, unknown>;
    try {
      table = parseToml(text);
    } catch {
      // The parser's message quotes the line, which may hold a value.
      throw new AppError("bad_request", "The Agent's vault is not valid TOML.");
    }
    const entries = Object.entries(table).filter(
      (entry): entry is [string, string] => VAULT_KEY.test(entry[0]) && typeof entry[1] === "string",
    );
    return Object.fromEntries(entries);
  }
}
