import { expect, it } from "vitest";
import { putBudgetsBody } from "@/lib/api/usage";
import { budgetsOf, type Draft, draftsOf, limitOf, problemsOf } from "./budget-draft";

const draft = (given: Partial<Draft>): Draft => ({
  id: 1,
  scope: "project",
  period: "month",
  kind: "hard",
  limit: "10",
  tz: "UTC",
  ...given,
});

it("what is edited is what is sent, for all three kinds of scope", () => {
  const budgets = budgetsOf([
    draft({}),
    draft({ id: 2, scope: "member:ann", limit: "0,5" }),
    draft({ id: 3, scope: "model:openrouter/openai/gpt-5", period: "day", kind: "soft" }),
  ]);
  expect(budgets).toEqual([
    { scope: { kind: "project" }, period: "month", kind: "hard", limit_usd: 10, tz: "UTC" },
    { scope: { kind: "member", user: "ann" }, period: "month", kind: "hard", limit_usd: 0.5, tz: "UTC" },
    {
      scope: { kind: "model", provider: "openrouter", model_id: "openai/gpt-5" },
      period: "day",
      kind: "soft",
      limit_usd: 10,
      tz: "UTC",
    },
  ]);
  expect(putBudgetsBody.safeParse({ budgets }).success).toBe(true);
  expect(budgetsOf(draftsOf(budgets ?? []))).toEqual(budgets);
});

it("two models whose provider and name read the same together are two", () => {
  const one = { scope: { kind: "model", provider: "a/b", model_id: "c" }, period: "day", kind: "hard" } as const;
  const both = [one, { ...one, scope: { kind: "model", provider: "a", model_id: "b/c" } as const }];
  const budgets = both.map((budget) => ({ ...budget, limit_usd: 1, tz: "UTC" }));
  expect(budgetsOf(draftsOf(budgets))).toEqual(budgets);
});

it("a limit is a number, and no two budgets are the same", () => {
  expect(["", "ten", "-1", "Infinity", "1e999", "0", " 2.5 "].map(limitOf)).toEqual([
    null,
    null,
    null,
    null,
    null,
    0,
    2.5,
  ]);
  const twice = [
    draft({}),
    draft({ id: 2, limit: "20" }),
    draft({ id: 3, kind: "soft" }),
    draft({ id: 4, scope: "member:a", limit: "x" }),
  ];
  expect([...problemsOf(twice)]).toEqual([
    [2, "twice"],
    [4, "limit"],
  ]);
  expect(budgetsOf(twice)).toBeNull();
});
