/**
 * `[command_policy]` of a `.project_config.toml`: rules that refuse a command before anybody is asked. Changed as a
 * whole; other keys of the file are kept. What cannot be understood refuses: a rule that went missing in silence would
 * be worse than a command too few.
 */
import { createContext, Script } from "node:vm";
import { z } from "zod";
import {
  type CommandPolicyView,
  type CommandRuleView,
  type PutCommandPolicyBody,
  RESERVED_RULES,
} from "../../lib/api/command-policy";
import { AppError } from "../../lib/api/errors";
import { FACTORY_RULES, readPattern, spellings } from "../../lib/command-rules";
import type { ToolCallPayload } from "../../lib/omni/message";
import type { Layout } from "../paths";
import type { TomlFiles } from "../toml-file";

/** A command that a rule refuses, and what the model is told about it. */
export interface Veto {
  rule: string;
  message?: string;
}

const stored = z.looseObject({
  name: z.string().optional().catch(undefined),
  pattern: z.string(),
  description: z.string().catch(""),
  enabled: z.boolean().catch(true),
});
const policy = z.looseObject({ enabled: z.boolean().catch(true), rules: z.array(z.unknown()).optional() });
const configFile = z.looseObject({ command_policy: policy.optional() });

/** Rules as they stand in a file; null: none are given. */
function readRules(entries: readonly unknown[] | undefined): CommandRuleView[] | null {
  if (!entries) return null;
  const taken = new Set<string>(RESERVED_RULES);
  return entries.map((entry, i) => {
    const fallback = `rule ${i + 1}`;
    const read = stored.safeParse(entry);
    if (!read.success) {
      return { name: fallback, pattern: "", description: "", enabled: true, problem: "It has no pattern." };
    }
    const { name = "", pattern, description, enabled } = read.data;
    const own = name === "" || taken.has(name) ? fallback : name;
    taken.add(own);
    const compiled = readPattern(pattern);
    return {
      name: own,
      pattern,
      description,
      enabled,
      ...(compiled.ok ? {} : { problem: compiled.why }),
    };
  });
}

export class CommandPolicy {
  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
  ) {}

  /** Throws a TomlError, or `bad_request` for a section that is none. */
  async view(project: string): Promise<CommandPolicyView> {
    const read = configFile.safeParse((await this.files.read(this.layout.projectConfig(project))) ?? {});
    if (!read.success) throw new AppError("bad_request", "[command_policy] of the Project's config cannot be read.");
    const given = read.data.command_policy;
    const rules = readRules(given?.rules);
    return { enabled: given?.enabled ?? true, rules: rules ?? [...FACTORY_RULES], factory: rules === null };
  }

  /** Throws `bad_request` for a pattern that is none and for a name that stands twice. */
  async put(project: string, { enabled, rules }: PutCommandPolicyBody): Promise<void> {
    for (const { name, pattern } of rules ?? []) {
      const read = readPattern(pattern);
      if (!read.ok) throw new AppError("bad_request", `The pattern of the rule "${name}" cannot be used. ${read.why}`);
    }
    if (new Set(rules?.map(({ name }) => name)).size < (rules?.length ?? 0)) {
      throw new AppError("bad_request", "Two rules have the same name.");
    }
    await this.files.update(this.layout.projectConfig(project), (table) => {
      const old = configFile.safeParse(table).data?.command_policy ?? {};
      const { rules: _, ...rest } = { rules: undefined, ...old };
      return {
        table: { ...table, command_policy: { ...rest, enabled, ...(rules ? { rules } : {}) } },
        result: undefined,
      };
    });
  }

  /** The first rule that refuses a call; null: none does, or it gives nothing to a shell. Never throws. */
  async veto(project: string, call: Pick<ToolCallPayload, "name" | "arguments">): Promise<Veto | null> {
    const text = shellText(call);
    if (text === null) return null;
    let read: CommandPolicyView;
    try {
      read = await this.view(project);
    } catch {
      return { rule: "unreadable", message: "The Project's config cannot be read, so its rules are not known." };
    }
    if (!read.enabled) return null;
    const active = read.rules.filter(({ enabled }) => enabled);
    const broken = active.find(({ problem }) => problem !== undefined);
    if (broken)
      return { rule: broken.name, message: "This rule cannot be read; until it is mended it forbids everything." };
    const found = await firstHit(
      active.map(({ pattern }) => pattern),
      spellings(text),
    );
    if (found === null) return null;
    const { name = "", description } = active[found.rule] ?? {};
    if (found.slow) return { rule: name, message: "This rule took too long to read the command." };
    return { rule: name, ...(description ? { message: description } : {}) };
  }
}

const SHELL_ARGUMENT: Partial<Record<string, "cmd" | "chars">> = { exec_command: "cmd", input_command: "chars" };

/** What a call gives to a shell: a command line, or what is typed into one that runs. */
function shellText({ name, arguments: text }: Pick<ToolCallPayload, "name" | "arguments">): string | null {
  const key = SHELL_ARGUMENT[name];
  if (!key) return null;
  try {
    const args: unknown = JSON.parse(text);
    const given: unknown = typeof args === "object" && args !== null ? Reflect.get(args, key) : null;
    return typeof given === "string" ? given : null;
  } catch {
    // Such a call is not run (EN6).
    return null;
  }
}

const SEARCH = new Script(`
  for (at = 0; at < rules.length; at++) if (texts.some((text) => rules[at].test(text))) break;
  at;
`);
/** The event loop stands still meanwhile. Milliseconds. */
const LIMIT_MS = 40;
/** A busy machine takes that long for nothing now and then; what needs it every time is too long. Others go on in between. */
const TRIES = 10;

/** Regular expressions can take for ever: one that does is stopped, and counts as a hit. */
async function firstHit(patterns: string[], texts: string[]): Promise<{ rule: number; slow: boolean } | null> {
  const rules = patterns.flatMap((pattern) => {
    const read = readPattern(pattern);
    return read.ok ? [read.regexp] : [];
  });
  const state = { rules, texts, at: 0 };
  const context = createContext(state);
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      SEARCH.runInContext(context, { timeout: LIMIT_MS });
      return state.at < rules.length ? { rule: state.at, slow: false } : null;
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { rule: state.at, slow: true };
}
