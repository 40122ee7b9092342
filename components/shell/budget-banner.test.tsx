// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { BudgetView } from "@/lib/api/usage";
import { BudgetBanner } from "./budget-banner";

const params: { agent?: string; session?: string } = {};
vi.mock("next/navigation", () => ({ useParams: () => params }));

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const budget = (given: Partial<BudgetView>): BudgetView => ({
  scope: { kind: "project" },
  period: "month",
  kind: "soft",
  limit_usd: 10,
  tz: "UTC",
  key: JSON.stringify(given),
  label: null,
  from: "2026-07-01T00:00:00.000Z",
  to: "2026-08-01T00:00:00.000Z",
  spent: { usd: 8.5, requests_usd: 8.5, stopped_usd: 0, deleted_usd: 0, unpriced: 0 },
  used: 0.85,
  state: "warning",
  applies: true,
  ...given,
});

function serve(budgets: BudgetView[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    if (url.includes("/sessions/")) return Response.json({ provider: "p", model_id: "m" });
    return Response.json({ budgets, ask: [{ user: "ann", name: "Ann" }] });
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <BudgetBanner project="default" />
    </QueryClientProvider>,
  );
  return asked;
}

const text = async () => (await screen.findByRole("status")).textContent;

it("ux 43: at 80 % it warns; closed, it stays away until it gets worse, also in the next visit", async () => {
  const key = "warned";
  serve([budget({ key }), budget({ applies: false, used: 0.99 }), budget({ state: "ok", used: 0.1 })]);
  expect(await text()).toContain("85% of the budget “Whole Project, per month” is spent: $8.50 of $10.00.");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("status")).toBeNull();
  cleanup();
  serve([budget({ key }), budget({ key: "other", limit_usd: 9 })]);
  expect(await text()).toContain("of $9.00");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("status")).toBeNull();
  cleanup();
  serve([budget({ key, state: "used_up", used: 1.1 })]);
  expect(await text()).toContain("is used up");
});

it("ux 43: what refuses comes first, says whom to ask, and cannot be closed; the model of the conversation is asked for", async () => {
  Object.assign(params, { agent: "a", session: "s" });
  const hard = budget({
    kind: "hard",
    scope: { kind: "model", provider: "p", model_id: "m" },
    label: "m",
    state: "used_up",
    used: 1.1,
  });
  const asked = serve([budget({ used: 2, state: "used_up" }), hard]);
  expect(await text()).toMatch(/“m, per month” is used up: .* New Requests are refused until .* Ask Ann for more\./);
  expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
  expect(asked).toContain("/api/projects/default/budgets?provider=p&model_id=m");
});
