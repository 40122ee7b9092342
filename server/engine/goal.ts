/**
 * A goal: Tasks that follow each other until the model says in its goal file that it is done or stuck (FF 5.8).
 *
 *   round 1 -> status "active" -> round 2 -> ... -> complete | blocked | aborted
 *                    \-> budget used up, or too many rounds -> one round to wrap up -> budget_limited
 */
import { writeGoal } from "../../lib/omni/blocks";
import { event, model } from "../../lib/omni/build";
import { isEventOf } from "../../lib/omni/guards";
import type { CompleteMessage, OmniMessage } from "../../lib/omni/message";
import { type EngineState, stopDetail, type TaskDeps } from "./state";
import { runTask, type TaskOutcome } from "./task";

const MAX_ROUNDS = 100;

/** `status` of the goal file; anything else there, or no file, is "blocked". */
export type GoalStatus = "active" | "complete" | "blocked";

export interface Goal {
  objective: string;
  /** Uncached tokens of the Session and its subagents; null: no limit. */
  budget: number | null;
  /** Where the model notes how it stands. */
  file: string;
  status(): Promise<GoalStatus>;
}

type Ending = GoalStatus | "aborted" | "budget_limited";

/** `input`: what the person sent, its first text the goal. The last message is `goal_finished`. */
export async function* runGoal(
  state: EngineState,
  input: CompleteMessage[],
  goal: Goal,
  deps: TaskDeps,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, TaskOutcome, void> {
  const count = { tokens: 0 };
  let round = 0;
  let wrapUp = false;
  for (;;) {
    round += 1;
    const text = protocol(goal, count.tokens, wrapUp);
    const said = round === 1 ? firstInput(input, text) : [laterInput(round, text, goal.objective)];
    deps.inbox.reopen();
    const outcome = yield* counted(runTask(state, said, deps, signal), count);
    const ending = await endingOf(outcome, goal, wrapUp, signal);
    if (ending !== "active") {
      if (ending === "aborted" && outcome.kind === "completed") {
        const { reason, by } = stopDetail(signal);
        yield event({ type: "abort", reason, ...(by ? { by } : {}) });
      }
      yield event({ type: "goal_finished", outcome: ending, rounds: round, tokens_used: count.tokens });
      return ending === "aborted" && outcome.kind === "completed" ? { kind: "aborted" } : outcome;
    }
    wrapUp = round >= MAX_ROUNDS || (goal.budget !== null && count.tokens >= goal.budget);
  }
}

async function endingOf(outcome: TaskOutcome, goal: Goal, wrapUp: boolean, signal: AbortSignal): Promise<Ending> {
  if (outcome.kind !== "completed" || signal.aborted) return "aborted";
  const status = await goal.status();
  return wrapUp && status !== "complete" ? "budget_limited" : status;
}

/** Passes everything on and adds up what Requests cost, those of subagents too; cached input is free. */
async function* counted(
  task: AsyncGenerator<OmniMessage, TaskOutcome, void>,
  count: { tokens: number },
): AsyncGenerator<OmniMessage, TaskOutcome, void> {
  try {
    for (;;) {
      const step = await task.next();
      if (step.done) return step.value;
      const message = step.value;
      if (isEventOf(message, "token_usage")) {
        const { total, cache_read } = message.payload.request;
        count.tokens += Math.max(0, total - cache_read);
      }
      yield message;
    }
  } finally {
    await task.return({ kind: "aborted" });
  }
}

/** The person's own words stay as they are, behind the block. */
function firstInput(input: CompleteMessage[], text: string): CompleteMessage[] {
  const at = input.findIndex(({ payload }) => payload.type === "text" && payload.client_id !== undefined);
  return input.map((message, i) => {
    const { payload } = message;
    if (i !== at || payload.type !== "text") return message;
    return { ...message, payload: { ...payload, text: writeGoal(1, text, payload.text) } };
  });
}

function laterInput(round: number, text: string, objective: string): CompleteMessage {
  const of = { role: "user" as const, stop_reason: "completed" as const, sender: "harness" };
  return model({ type: "text" as const, text: writeGoal(round, text, objective), ...of });
}

function protocol({ objective, budget, file }: Goal, used: number, wrapUp: boolean): string {
  const rules = wrapUp
    ? [
        "The budget of this goal is used up: this is the last round. Start nothing new. Say what is done, what is not and",
        "how to go on. Set status to complete only if the whole goal is reached.",
      ]
    : [
        "Work on the goal below until it is reached; rounds follow each other while its status is active. At the end of a",
        "round set status in the goal file: complete when the whole goal is reached and checked, blocked when you cannot go",
        "on without a person, active otherwise. Change nothing else in that file.",
      ];
  const left = budget === null ? "none" : `${Math.max(0, budget - used)} of ${budget} tokens left`;
  const yaml = `\`\`\`yaml\nobjective: ${JSON.stringify(objective)}\nstatus: active | complete | blocked\n\`\`\``;
  return [...rules, `goal file: ${file}`, yaml, `budget: ${left}`].join("\n");
}
