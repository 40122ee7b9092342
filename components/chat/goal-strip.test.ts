import { expect, it } from "vitest";
import { writeGoal } from "@/lib/omni/blocks";
import { event, model } from "@/lib/omni/build";
import type { OmniMessage } from "@/lib/omni/message";
import { EMPTY, push } from "@/lib/trace/transcript";
import { goalProgress } from "./goal-strip";

const round = (n: number, left: string) =>
  model({
    type: "text" as const,
    role: "user" as const,
    text: writeGoal(n, `rules\nbudget: ${left}`, "tidy up"),
    ...(n > 1 ? { sender: "harness" } : { client_id: "c" }),
  });
const request = (total: number, cache_read: number): OmniMessage[] => [
  event({ type: "request_begin" }),
  model({ type: "text" as const, role: "assistant" as const, text: "done a bit" }),
  event({
    type: "token_usage",
    session: { cache_read, cache_write: 0, output: 0, total },
    request: { cache_read, cache_write: total - cache_read - 1, output: 1, total },
  }),
  event({ type: "request_end", status: "completed" as const }),
];

const fold = (messages: OmniMessage[]) =>
  messages.reduce((t, message, i) => push(t, { address: { file_index: 1, line: i + 1 }, message }), EMPTY);

it("round, budget and what was used, over all rounds; nothing when the goal is over", () => {
  const running = [round(1, "1000 of 1000 tokens left"), ...request(300, 100), round(2, "800 of 1000 tokens left")];
  expect(goalProgress(fold(running))).toMatchObject({ round: 2, used: 200, budget: 1000 });
  const free = [round(1, "none"), ...request(50, 0)];
  expect(goalProgress(fold(free))).toMatchObject({ round: 1, used: 50 });
  const over = [...free, event({ type: "goal_finished", outcome: "complete", rounds: 1, tokens_used: 50 })];
  expect(goalProgress(fold(over))).toBeNull();
});
