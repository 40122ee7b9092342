/** What a message carries beside its text until it is sent: chips above the box. Nothing acts before Send. */
import type { ModelRef } from "@/lib/api/schemas";
import { writeUseSkills } from "@/lib/omni/blocks";

export interface Staged {
  /** Send goes on with this model in a new Session. */
  model?: ModelRef & { label: string };
  /** Send hands over to this Agent in a new Session. */
  agent?: { id: string; name: string };
  /** The text is a goal that is worked on in rounds; `budget` in tokens. */
  goal?: { budget?: number };
  skills?: readonly string[];
}
export type StagedKind = keyof Staged;

export const NOTHING: Staged = {};

/** A model and an Agent exclude each other: a message has one destination. */
export function stage(now: Staged, next: Staged): Staged {
  const { model: _, agent: __, ...rest } = now;
  const base = next.model || next.agent ? rest : now;
  const skills = next.skills ? [...new Set([...(now.skills ?? []), ...next.skills])] : now.skills;
  return { ...base, ...next, ...(skills ? { skills } : {}) };
}

export function unstage(now: Staged, kind: StagedKind, skill?: string): Staged {
  const { [kind]: _, ...rest } = now;
  const left = kind === "skills" && skill ? (now.skills ?? []).filter((name) => name !== skill) : [];
  return left.length > 0 ? { ...rest, skills: left } : rest;
}

/** May a message without a text be sent? Then an automatic line stands in for it. */
export const speaksForItself = ({ model, agent, skills }: Staged): boolean => Boolean(model || agent || skills?.length);

/** Does sending need this Session to be idle? What comes from it reads its Trace. A goal can wait in the queue. */
export const needsIdle = ({ model, agent }: Staged): boolean => Boolean(model || agent);

/** The text as it is sent: skills ride in a block before it. */
export function composedText(text: string, { skills = [] }: Staged, automatic: string): string {
  const body = text.trim() === "" ? automatic : text;
  return skills.length > 0 ? writeUseSkills([...skills], body) : body;
}

/** What was stored in the browser, as far as it makes sense. */
export function readStaged(json: string): Staged {
  try {
    const value: unknown = JSON.parse(json);
    return isStaged(value) ? value : NOTHING;
  } catch {
    return NOTHING;
  }
}

function isStaged(value: unknown): value is Staged {
  if (typeof value !== "object" || value === null) return false;
  const has = (part: unknown, ...names: string[]) =>
    part === undefined ||
    (typeof part === "object" && part !== null && names.every((name) => typeof Reflect.get(part, name) === "string"));
  const { model, agent, goal, skills }: Partial<Record<StagedKind, unknown>> = value;
  const named = Array.isArray(skills) ? skills.every((name) => typeof name === "string") : skills === undefined;
  return named && has(model, "provider", "model_id", "label") && has(agent, "id", "name") && has(goal);
}
