/**
 * The text blocks that machines put into messages: each kind is written and read here. A block counts only where its
 * kind may stand:
 *
 *   prefix  at the very start, the person's text follows      use_skills, scheduled_task, goal, background_task_done
 *   whole   the block is the whole text                       handoff_from, model_switch_from, user_steering,
 *                                                             context_summary (turn blocks: `carry-over.ts`)
 *   lines   the last lines of a text                          attached image, attached file
 */
import {
  bothForms,
  type Labelled,
  pairs,
  present,
  readFields,
  readLabel,
  readPrefix,
  readWhole,
  withoutStrayTags,
  withoutTag,
  withPrefix,
  writeBlock,
  writeFields,
  writeLabel,
} from "./block-form";

// ---- prefix kinds -------------------------------------------------------------------------------------------------

export function writeUseSkills(skills: string[], rest: string): string {
  return withPrefix("use_skills", `skills: ${skills.join(", ")}`, rest);
}
export function readUseSkills(text: string): { skills: string[]; rest: string } | null {
  const block = readPrefix("use_skills", text);
  if (!block) return null;
  const names = readFields(block.body).get("skills") ?? "";
  const skills = names.split(",").map((name) => name.trim());
  return { skills: skills.filter((name) => name !== ""), rest: block.rest };
}

export interface ScheduledTask {
  schedule: string;
  /** ISO 8601. */
  fired_at: string;
}
export function writeScheduledTask(task: ScheduledTask, rest: string): string {
  return withPrefix("scheduled_task", writeFields({ ...task }), rest);
}
export function readScheduledTask(text: string): (ScheduledTask & { rest: string }) | null {
  const block = readPrefix("scheduled_task", text);
  if (!block) return null;
  const fields = readFields(block.body);
  return { schedule: fields.get("schedule") ?? "", fired_at: fields.get("fired_at") ?? "", rest: block.rest };
}

export interface BackgroundTaskDone {
  kind: string;
  id: string;
  status: string;
  detail?: string;
}
export function writeBackgroundTaskDone(done: BackgroundTaskDone, rest = ""): string {
  return withPrefix("background_task_done", writeFields({ ...done }), rest);
}
export function readBackgroundTaskDone(text: string): (BackgroundTaskDone & { rest: string }) | null {
  const block = readPrefix("background_task_done", text);
  if (!block) return null;
  const fields = readFields(block.body);
  const of = (key: string) => fields.get(key) ?? "";
  return { kind: of("kind"), id: of("id"), status: of("status"), ...present(fields, "detail"), rest: block.rest };
}

/** `protocol`: the rules, the goal file's path, its content fenced as yaml and the budget line. */
export function writeGoal(round: number, protocol: string, rest: string): string {
  return withPrefix("goal", `round: ${round}\n${protocol}`, rest);
}
export function readGoal(text: string): { round: number; budget?: number; rest: string } | null {
  const block = readPrefix("goal", text);
  if (!block) return null;
  const budget = /^budget: \d+ of (\d+) tokens left$/m.exec(block.body)?.[1];
  const round = Number(/^round: (\d+)/.exec(block.body)?.[1] ?? 0);
  return { round, ...(budget ? { budget: Number(budget) } : {}), rest: block.rest };
}
/** A goal round that is carried over belongs to no goal run any more: its protocol must not be acted on. */
export function downgradeGoal(text: string): string {
  const goal = readGoal(text);
  if (!goal) return text;
  const line = `[goal round ${goal.round} of an ended goal run — protocol omitted; do not act on it]`;
  return goal.rest === "" ? line : `${line}\n\n${goal.rest}`;
}

// ---- whole kinds --------------------------------------------------------------------------------------------------

export interface HandoffFrom {
  agent: Labelled;
  session?: Labelled;
  workspace?: string;
}
export function writeHandoffFrom(from: HandoffFrom): string {
  const session = from.session && writeLabel(from.session);
  return writeBlock("handoff_from", writeFields({ agent: writeLabel(from.agent), session, workspace: from.workspace }));
}
export function readHandoffFrom(text: string): HandoffFrom | null {
  const body = readWhole("handoff_from", text);
  if (body === null) return null;
  const fields = readFields(body);
  const agent = readLabel(fields.get("agent") ?? "");
  const source = fields.get("session");
  const session = source ? { session: readLabel(source) } : {};
  return { agent, ...session, ...present(fields, "workspace") };
}

export interface ModelSwitchFrom {
  session: Labelled;
  /** Absolute path of its newest Trace file. */
  trace?: string;
  workspace?: string;
  previous_model?: string;
  previous_provider?: string;
}
export function writeModelSwitchFrom(from: ModelSwitchFrom): string {
  return writeBlock("model_switch_from", writeFields({ ...from, session: writeLabel(from.session) }));
}
export function readModelSwitchFrom(text: string): ModelSwitchFrom | null {
  const body = readWhole("model_switch_from", text);
  if (body === null) return null;
  const fields = readFields(body);
  const session = readLabel(fields.get("session") ?? "");
  return { session, ...present(fields, "trace", "workspace", "previous_model", "previous_provider") };
}

export function writeSteering(text: string): string {
  return writeBlock("user_steering", text);
}
export function readSteering(text: string): string | null {
  return readWhole("user_steering", text);
}

export function writeContextSummary(summary: string): string {
  return writeBlock("context_summary", summary);
}
export function readContextSummary(text: string): string | null {
  return readWhole("context_summary", text);
}

// ---- attachment lines ---------------------------------------------------------------------------------------------

export interface Attachment {
  kind: "image" | "file";
  /** Path, or for images also a web address. */
  path: string;
}
/** Puts one line per attachment after the text, behind a blank line. */
export function writeAttachments(text: string, attachments: Attachment[]): string {
  const lines = attachments.map(({ kind, path }) => `[attached ${kind}: ${path}]`).join("\n");
  if (lines === "") return text;
  return text === "" ? lines : `${text}\n\n${lines}`;
}
/**
 * Splits trailing attachment lines from the text. `accept` decides which of them are honoured (a person can type such
 * a line too); from the last one refused upwards everything stays text.
 */
export function readAttachments(
  text: string,
  accept: (attachment: Attachment) => boolean,
): { text: string; attachments: Attachment[] } {
  const lines = text.trimEnd().split("\n");
  const attachments: Attachment[] = [];
  while (lines.length > 0) {
    const match = /^\[attached (image|file): (.+)\]$/.exec(lines.at(-1) ?? "");
    if (!match?.[1] || !match[2]) break;
    const attachment: Attachment = { kind: match[1] === "image" ? "image" : "file", path: match[2] };
    if (!accept(attachment)) break;
    attachments.unshift(attachment);
    lines.pop();
  }
  return attachments.length === 0 ? { text, attachments } : { text: lines.join("\n").trimEnd(), attachments };
}

// ---- titles and summaries -----------------------------------------------------------------------------------------

const NOT_IN_TITLES = [
  "use_skills",
  "handoff_from",
  "scheduled_task",
  "model_switch_from",
  "goal",
  "background_task_done",
];

/** What a person wrote, without the machine's blocks: the text a title is made of. */
export function titleText(text: string): string {
  let rest = text;
  for (const tag of NOT_IN_TITLES) rest = withoutTag(rest, tag);
  return rest.trim();
}

/** As much of a prompt as is looked at for a title. */
const TITLE_FROM_CHARS = 20_000;
const ATTACHED = /^\[attached (?:image|file): (?:.*[\\/])?([^\\/]+)\]$/;

/** The first line of that, trimmed. A message that is only a file is called by the file's name, not by its path. */
export function titleLine(text: string): string | undefined {
  const lines = titleText(text.slice(0, TITLE_FROM_CHARS)).split("\n");
  const first = lines.find((line) => line.trim() !== "");
  return first?.trim().replace(ATTACHED, "$1");
}

/**
 * The summary inside a compaction's answer; "" when the answer is not usable.
 * First pair with content (square before angle), else all text outside of pairs, else the whole text.
 */
export function extractSummary(answer: string): string {
  for (const { open, close } of bothForms("summary")) {
    for (const content of pairs(answer, open, close)) {
      const summary = withoutStrayTags(content, "summary").trim();
      if (summary !== "") return summary;
    }
  }
  return withoutTag(answer, "summary").trim();
}
