import { expect, it } from "vitest";
import { figuresOf, request } from "@/components/usage/fixtures";
import { translate } from "@/lib/i18n/areas";
import { costText, costWords, requestCostWords } from "./cost-words";

const t: Parameters<typeof costText>[0] = (key, params) => translate("en", key, params);
const zh: typeof t = (key, params) => translate("zh", key, params);
const sumOf = (...rows: Parameters<typeof request>[0][]) => figuresOf(rows.map((row) => request(row))).cost;

const stamped = { usd: 0.5 };
const today = { usd: 0.25, certainty: "today" } as const;
const estimated = { usd: 0.125, certainty: "estimated" } as const;
const free = { usd: 0, certainty: "free" } as const;
const unpriced = { usd: null, certainty: "unpriced" } as const;
const unknown = { usd: null, certainty: "unknown", tokens: null } as const;

it("ux 40: what has no price says so, and is never 0", () => {
  expect(costText(t, sumOf(unpriced, unpriced))).toBe("no price");
  expect(costText(t, sumOf(unknown))).toBe("unknown");
  expect(costText(t, sumOf(unpriced, unknown))).toBe("no price · 1 unknown");
  expect(costText(t, sumOf(free))).toBe("free");
  expect(costText(t, sumOf())).toBe("–");
});

it("each kind of certainty is told apart inside of a sum, and a sum that lacks something shows it", () => {
  const sum = sumOf(stamped, today, estimated, free, unpriced, unknown, unknown);
  expect(costText(t, sum)).toBe("$0.875 · $0.250 at today's price · $0.125 estimated · 1 without a price · 2 unknown");
  expect(costWords(t, sum)).toMatchObject({ main: "$0.875", partial: true });
  expect(costWords(t, sumOf(stamped, today))).toMatchObject({ main: "$0.750", partial: false });
  // Free beside unpriced: the amount is known to be 0, and not to be all.
  expect(costText(t, sumOf(free, unpriced))).toBe("$0 · 1 without a price");
  expect(costText(zh, sum)).toContain("按今日价格");
});

it("one Request: amount and mark, or the word in its place", () => {
  const said = (row: Parameters<typeof request>[0]) => {
    const { main, notes } = requestCostWords(t, request(row));
    return [main, ...notes.map(({ text }) => text)].join(", ");
  };
  expect([stamped, today, estimated, free, unpriced, unknown].map(said)).toEqual([
    "$0.500",
    "$0.250, at today's price",
    "$0.125, estimated",
    "free",
    "no price",
    "unknown",
  ]);
});
