// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { useSyncExternalStore } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { UsageRequestRow } from "@/lib/api/usage";
import { figuresOf, request, usageView } from "./fixtures";
import { UsagePage } from "./usage-page";

/** The address as Next tells of it: what `pushState` and `replaceState` do is seen at once. */
const listeners = new Set<() => void>();
vi.mock("next/navigation", () => ({
  useParams: () => ({ project: "p" }),
  useSearchParams: () => {
    const text = useSyncExternalStore(
      (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      () => location.search,
      () => "",
    );
    return new URLSearchParams(text);
  },
}));
for (const name of ["pushState", "replaceState"] as const) {
  const original = history[name].bind(history);
  history[name] = (state: unknown, unused: string, url?: string | URL | null) => {
    original(state, unused, url);
    for (const listener of listeners) listener();
  };
}

beforeEach(() => history.replaceState(null, "", "/p/p/usage"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const REQUESTS = [
  request({ usd: 2, user: "ann" }),
  request({ usd: 0.5, certainty: "today", model: "p/m2", user: "ben", at: "2026-07-17T09:00:00.000Z" }),
  request({ usd: null, certainty: "unpriced", model: "p/local", user: "ben" }),
  request({ usd: null, certainty: "unknown", tokens: null, status: "failed", error_message: "overloaded" }),
];

function serve(requests: readonly UsageRequestRow[], budgets: object[] = []) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    if (url.includes("/budgets")) return Response.json({ budgets, ask: [] });
    if (url.includes("/usage/requests")) {
      const params = new URLSearchParams(url.split("?")[1]);
      const chosen = requests.filter(
        (row) =>
          ["model", "user"].every((key) => !params.get(key) || params.get(key) === row[key as "model" | "user"]) &&
          (!params.get("certainty") || params.get("certainty") === row.certainty) &&
          (!params.get("errors") || row.status === "failed"),
      );
      return Response.json({ requests: chosen, total: chosen.length, figures: figuresOf(chosen), next: null });
    }
    return Response.json(usageView(requests));
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <UsagePage project="p" canSetBudgets={false} />
    </QueryClientProvider>,
  );
  return asked;
}

const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole("row")
    .map((row) => row.textContent ?? "");

it("ux 39: a figure opens to its rows; what was opened stands in the address and closes with a step back", async () => {
  const asked = serve(REQUESTS);
  const table = await screen.findByRole("table", { name: "Model" });
  const rows = rowsOf(table);
  expect(rows).toHaveLength(1 + 3 + 1);
  expect(rows.at(-1)).toContain("$2.50+");
  expect(rows.at(-1)).toContain("$0.500 at today's price");
  expect(rows.find((text) => text.includes("local"))).toContain("no price");
  fireEvent.click(within(table).getByRole("link", { name: "local: show 1 Request" }));
  const panel = await screen.findByRole("dialog", { name: /^Requests: local · Last 30 days/ });
  const item = await within(panel).findByRole("listitem");
  expect(item.textContent).toContain("no price");
  expect(within(item).getByRole("link").getAttribute("href")).toMatch(/^\/p\/p\/traces\/coder\/s1\/1\?line=\d+$/);
  expect(location.search).toContain("rows=1&rows.model=p%2Flocal");
  expect(asked.find((url) => url.includes("/usage/requests"))).toMatch(/tz=[^&]+&model=p%2Flocal/);
  expect(within(panel).getByRole("link", { name: "CSV" }).getAttribute("href")).toMatch(
    /usage\.csv\?tz=.*model=p%2Flocal&table=requests$/,
  );
  // What was opened here is closed by the step back that the browser's button makes.
  const back = vi.spyOn(history, "back").mockImplementation(() => history.replaceState(null, "", "/p/p/usage?tz=UTC"));
  expect(document.activeElement).toBe(panel);
  fireEvent.keyDown(panel, { key: "Escape" });
  expect(back).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), { timeout: 20_000 });
  back.mockRestore();
});

it("ux 41: a filter is a step of the history and asks anew; the zone stands in the address from the beginning", async () => {
  const asked = serve(REQUESTS);
  await screen.findByRole("table", { name: "Model" });
  expect(new URLSearchParams(location.search).get("tz")).toBeTruthy();
  const before = history.length;
  fireEvent.click(screen.getByRole("button", { name: "Show only m2" }));
  expect(history.length).toBe(before + 1);
  expect(location.search).toContain("model=p%2Fm2");
  await vi.waitFor(() => expect(asked.at(-1)).toMatch(/\/usage\?tz=.*model=p%2Fm2/), { timeout: 20_000 });
  fireEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(location.search).not.toContain("model=");
});

it("how sure a sum is: each kind with its Requests, by word and by a link to them", async () => {
  serve(REQUESTS);
  const legend = await screen.findByRole("region", { name: "How sure the cost is" });
  expect(legend.textContent).toMatch(
    /Price of its time\$2\.00.*At today's price\$0\.500.*No price150 tokens 1 Request.*Unknown.*1 Request/,
  );
  fireEvent.click(within(legend).getByRole("link", { name: "Unknown: 1 Request" }));
  await screen.findByRole("dialog", { name: /Unknown/ });
  expect(location.search).toContain("rows.certainty=unknown");
});

it("each chart has a table that says the same and adds up", async () => {
  serve(REQUESTS);
  fireEvent.click(await screen.findByRole("button", { name: "Requests as a table" }));
  const rows = rowsOf(screen.getByRole("table", { name: "Requests" }));
  expect(rows[0]).toMatch(/^When.*Total$/);
  expect(rows.slice(1)).toEqual([
    "Fri, Jul 17, 20260101",
    "Sat, Jul 18, 20262013",
    "Sun, Jul 19, 20260000",
    "Total2114",
  ]);
  expect(screen.getByText("overloaded")).toBeTruthy();
  // ux 40: what has no price is no 0, in the legend and in the table.
  expect(screen.getByRole("region", { name: "Cost" }).textContent).toContain("localno price");
  fireEvent.click(screen.getByRole("button", { name: "Cost as a table" }));
  expect(rowsOf(screen.getByRole("table", { name: "Cost" }))[2]).toBe("Sat, Jul 18, 2026$2.00+$0no price$2.00+");
  expect(rowsOf(screen.getByRole("table", { name: "Cost" })).at(-1)).toBe("Total$2.00+$0.50no price$2.50+");
});

it("ux 48: without a Request it says what will appear; a failure says what failed and offers another try", async () => {
  serve([]);
  await screen.findByText("No Requests yet");
  cleanup();
  let failing = true;
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.includes("/budgets")) return Response.json({ budgets: [], ask: [] });
    if (!failing) return Response.json(usageView(REQUESTS));
    return Response.json({ error: { code: "internal", message: "The count failed." } }, { status: 500 });
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <UsagePage project="p" canSetBudgets={false} />
    </QueryClientProvider>,
  );
  expect((await screen.findByRole("alert")).textContent).toContain("The count failed.");
  failing = false;
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("table", { name: "Model" });
});
