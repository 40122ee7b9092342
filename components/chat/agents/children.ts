/** The subagents that a conversation started, as far as its records tell. */
import type { Item, Transcript } from "@/lib/trace/transcript-items";
import { readArguments, text } from "../tool-arguments";

export interface ChildFacts {
  session: string;
  agent?: string;
  /** What it was asked to do, in a line. */
  task?: string;
  /** ISO times; no end while it works or when nobody knows. */
  from: string;
  to?: string;
  outcome: "working" | "done" | "failed" | "stopped";
}

function factsOf(item: Item): ChildFacts | null {
  if (item.kind === "subagent") {
    return { session: item.session_id, agent: item.agent, from: item.at, outcome: "working" };
  }
  if (item.kind !== "tool" || !item.child) return null;
  const args = readArguments(typeof item.arguments === "string" ? item.arguments : item.arguments.head, true);
  const { output } = item;
  const why = output?.stop_reason;
  return {
    session: item.child.session_id,
    agent: item.child.agent,
    task: text(args, "description") ?? text(args, "prompt")?.split("\n")[0],
    from: item.started_at,
    to: output?.at,
    outcome: !output
      ? "working"
      : why === "aborted"
        ? "stopped"
        : why === undefined || why === "completed"
          ? "done"
          : "failed",
  };
}

/** Each once, in the order of their start; the last call about one tells how it stands. */
export function childrenOf({ tasks }: Pick<Transcript, "tasks">): ChildFacts[] {
  const found = new Map<string, ChildFacts>();
  for (const { items } of tasks) {
    for (const item of items) {
      const facts = factsOf(item);
      if (!facts) continue;
      const before = found.get(facts.session);
      found.set(facts.session, before ? { ...facts, from: before.from, task: before.task ?? facts.task } : facts);
    }
  }
  return [...found.values()];
}
