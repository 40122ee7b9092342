/** Bracketed blocks of an input, as the conversation shows them. */
import {
  readBackgroundTaskDone,
  readContextSummary,
  readGoal,
  readHandoffFrom,
  readModelSwitchFrom,
  readScheduledTask,
  readSteering,
  readUseSkills,
} from "../omni/blocks";
import type { Banner } from "./transcript-items";

export type Marker =
  | { kind: "summary" | "steering"; body: string }
  /** `rest`: what the person wrote below it. */
  | { kind: "banner"; banner: Banner; rest: string };

/** The marker that an input is, or begins with; null when there is none that counts. */
export function readMarker(text: string): Marker | null {
  if (!/^[[<]/.test(text)) return null;
  const summary = readContextSummary(text);
  if (summary !== null) return { kind: "summary", body: summary };
  const steering = readSteering(text);
  if (steering !== null) return { kind: "steering", body: steering };
  return wholeBanner(text) ?? prefixBanner(text);
}

function wholeBanner(text: string): Marker | null {
  const from = readModelSwitchFrom(text);
  if (from) {
    const { session, workspace, previous_model, previous_provider } = from;
    const banner = { type: "model_switch" as const, session: session.id, title: session.label };
    return { kind: "banner", banner: { ...banner, workspace, previous_model, previous_provider }, rest: "" };
  }
  const handoff = readHandoffFrom(text);
  if (!handoff) return null;
  const { agent, session, workspace } = handoff;
  const banner = { type: "handoff" as const, agent: agent.id, agent_name: agent.label, session: session?.id };
  return { kind: "banner", banner: { ...banner, title: session?.label, workspace }, rest: "" };
}

function prefixBanner(text: string): Marker | null {
  const skills = readUseSkills(text);
  if (skills) return { kind: "banner", banner: { type: "skills", skills: skills.skills }, rest: skills.rest };
  const task = readScheduledTask(text);
  if (task) {
    const { schedule, fired_at, rest } = task;
    return { kind: "banner", banner: { type: "schedule", schedule, fired_at }, rest };
  }
  const goal = readGoal(text);
  if (goal) {
    const { rest, ...facts } = goal;
    return { kind: "banner", banner: { type: "goal", ...facts }, rest };
  }
  const done = readBackgroundTaskDone(text);
  if (!done) return null;
  const { rest: output, ...facts } = done;
  return { kind: "banner", banner: { type: "background", ...facts, ...(output ? { output } : {}) }, rest: "" };
}
