// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { figuresOf, request } from "@/components/usage/fixtures";
import type { SessionUsage } from "@/lib/api/usage";
import * as say from "@/lib/trace/fixtures/conversation";
import { ConversationProvider } from "./conversation-context";
import { SessionUsageButton } from "./session-usage";
import { StatsLine } from "./stats-line";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const own = [request({ usd: 0.5 })];
const child = [request({ usd: 0.25, certainty: "today" }), request({ usd: null, certainty: "unpriced" })];
const all = figuresOf([...own, ...child]);
const USAGE: SessionUsage = {
  own: figuresOf(own),
  total: all,
  subagents: [{ agent: "helper", session_id: "s2", figures: figuresOf(child) }],
  tasks: [
    {
      index: 0,
      kind: "task",
      from: { file_index: 1, line: 1 },
      to: { file_index: 1, line: 99 },
      figures: figuresOf(own),
      total: all,
    },
  ],
};

function show(content: React.ReactNode) {
  vi.stubGlobal("fetch", async () => Response.json(USAGE));
  const view = {
    sessionRef: { project: "p", agent: "a", session: "s1" },
    userId: "ann",
    canWork: false,
    active: false,
    approvals: [],
    subagents: [],
    decided: {},
    onDecided: () => {},
    onRetryNow: () => {},
    onStop: () => {},
  };
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ConversationProvider value={view}>{content}</ConversationProvider>
    </QueryClientProvider>,
  );
}

it("the header tells the whole conversation with its subagents, opens to its parts, and leads to the usage page", () => {
  show(<SessionUsageButton usage={USAGE} />);
  const button = screen.getByRole("button");
  expect(button.textContent).toBe("450 tokens$0.750+");
  fireEvent.click(button);
  const parts = screen.getByRole("dialog", { name: "Usage of this conversation" });
  expect(parts.textContent).toContain("$0.250 at today's price");
  const rows = within(parts)
    .getAllByRole("row")
    .map((row) => row.textContent);
  expect(rows).toEqual([
    "This conversation alone150 tokens$0.500",
    "helper300 tokens$0.250+",
    "With its subagents450 tokens$0.750+",
  ]);
  const page = within(parts).getByRole("link", { name: "Open in Usage" });
  expect(page.getAttribute("href")).toBe("/p/p/usage?range=all&session=a%2Fs1");
});

it("an answer tells what its Task has used, subagents too, and how sure the cost is", async () => {
  const [task] = say.of(say.user("q"), say.begin(), say.text("done"), say.end()).tasks;
  if (!task) throw new Error("no Task");
  const { container } = show(<StatsLine task={task} />);
  await screen.findByText("with 2 Requests of subagents");
  expect(container.textContent).toContain("360 in, 90 out");
  expect(container.textContent).toContain("$0.750+");
  expect(container.textContent).toContain("1 without a price");
});
