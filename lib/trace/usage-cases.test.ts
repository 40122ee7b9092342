/** Tokens and cost where a provider or a person leaves something out. */
import { expect, it } from "vitest";
import { abort, addressed, begin, end, fold, of, text, usage, user } from "./fixtures/conversation";
import { parseTrace } from "./jsonl";

const line = (second: string, payload: object) =>
  JSON.stringify({ timestamp: `2026-07-18T03:10:${second}.000Z`, type: "event_msg", payload });
const said = (second: string, payload: object) =>
  JSON.stringify({ timestamp: `2026-07-18T03:10:${second}.000Z`, type: "model_msg", payload });
const counts = { cache_read: 0, cache_write: 100, output: 10, total: 110 };

/** As another writer left it: the second Request was stopped, and its usage never came. */
const STOPPED = [
  line("01", { type: "request_begin" }),
  said("02", { type: "text", role: "user", text: "q" }),
  said("03", { type: "text", role: "assistant", text: "a" }),
  line("04", { type: "request_end", status: "completed" }),
  line("04", { type: "token_usage", session: counts, request: counts }),
  line("10", { type: "request_begin" }),
  said("11", { type: "text", role: "user", text: "write a long essay" }),
  line("12", { type: "abort", reason: "user" }),
  line("13", { type: "request_end", status: "aborted" }),
].join("\n");

it("UC05: a stopped Request counts as one with unknown tokens, not as free", () => {
  const records = parseTrace(STOPPED).records.map(({ line: at, message }) => ({
    address: { file_index: 1, line: at },
    message,
  }));
  const read = fold(records);
  expect(read.tasks.map(({ stats }) => [stats.requests, stats.unknown, stats.tokens.total])).toEqual([
    [1, 0, 110],
    [1, 1, 0],
  ]);
  const live = fold(addressed([user("go"), begin(), ...text("half"), end("aborted"), abort({ by: "ana" })]));
  expect(live.tasks[0]?.stats).toMatchObject({ requests: 1, unknown: 1, priced: 0, unpriced: 0 });
});

it("UC14: tokens without a price are counted, their cost is unknown and not 0", () => {
  const price = { cache_read: 0.1, cache_write: 1, output: 2 };
  const silent = [user("one"), begin(), ...text("no usage"), end()];
  const counted = [user("two"), begin(), ...text("x"), usage(7), end()];
  const priced = [user("three"), begin(), ...text("x"), usage(7, { price }), end()];
  const [first, second, third] = of(silent, counted, priced).tasks.map(({ stats }) => stats);
  expect(first).toMatchObject({ requests: 1, unknown: 1, unpriced: 0, cost: 0 });
  expect(second).toMatchObject({ requests: 1, unknown: 0, unpriced: 1, priced: 0, cost: 0 });
  expect(second?.tokens.total).toBe(third?.tokens.total);
  expect(third).toMatchObject({ unpriced: 0, priced: 1 });
});
