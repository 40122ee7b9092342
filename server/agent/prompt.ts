/** Fills the placeholders of a system prompt template. */
import { release, type } from "node:os";
import { dateFolder } from "../../lib/trace/name";

/** What a prompt can say about the run it belongs to. */
export interface PromptFacts {
  /** Text of the Agent's AGENTS.md. */
  agents_md: string;
  /** Names only: values never enter a prompt. */
  vault_keys: string[];
  skills: { name: string; description: string }[];
  /** Absolute path of the Project's folder. */
  project_dir: string;
  agent_id: string;
  /** Absolute paths of folders in the Agent's folder. */
  scratchpad: string;
  shared_env: string;
  skills_dir: string;
  workspace: string;
  provider: string;
  model_id: string;
  session_id: string;
  shell: string;
  at: Date;
}

function values(facts: PromptFacts): Record<string, string> {
  const vault = facts.vault_keys.map((key) => `- ${key}`).join("\n");
  const skills = facts.skills.map(({ name, description }) => `- \`${name}\` — ${description}`).join("\n");
  return {
    AGENTS_MD: facts.agents_md.trim(),
    VAULT_KEYS: vault,
    VAULT: vault,
    SKILL_METADATA: skills,
    SKILLS: skills,
    MEMORY: "",
    SCHEDULES: "",
    PLATFORM: process.platform,
    OS_VERSION: `${type()} ${release()}`,
    SHELL: facts.shell,
    DATE: dateFolder(facts.at),
    PROJECT_DIR: facts.project_dir,
    AGENT_ID: facts.agent_id,
    SCRATCHPAD: facts.scratchpad,
    SHARED_ENV: facts.shared_env,
    SKILLS_DIR: facts.skills_dir,
    CWD: facts.workspace,
    PROVIDER: facts.provider,
    MODEL_ID: facts.model_id,
    SESSION_ID: facts.session_id,
  };
}

/**
 * The system prompt of a new Session, trimmed. One pass: a value that itself spells a placeholder (AGENTS.md is
 * written by the model, too) stays text. Unknown placeholders stay as they are.
 */
export function buildSystemPrompt(template: string, facts: PromptFacts): string {
  const known = values(facts);
  return template.replace(/\{\{([A-Z_]+)\}\}/g, (whole, name: string) => known[name] ?? whole).trim();
}
