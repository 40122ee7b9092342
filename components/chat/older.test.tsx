// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import * as say from "@/lib/trace/fixtures/conversation";
import { prepend, start } from "@/lib/trace/transcript";
import type { TaskBlock } from "@/lib/trace/transcript-items";
import { ConversationProvider, type ConversationView } from "./conversation-context";
import { TaskView } from "./task-view";

afterEach(cleanup);

const VIEW: ConversationView = {
  sessionRef: { project: "p", agent: "a", session: "s1" },
  userId: "ana",
  canWork: true,
  active: false,
  approvals: [],
  subagents: [],
  decided: {},
  onDecided: () => {},
  onRetryNow: () => {},
  onStop: () => {},
};

function Page({ task }: { task: TaskBlock | undefined }) {
  return (
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <ConversationProvider value={VIEW}>{task && <TaskView task={task} last />}</ConversationProvider>
    </QueryClientProvider>
  );
}

it("UI08 the rest of a Task stays what it is on the page when its beginning is loaded", async () => {
  const records = say
    .addressed(
      [say.user("The question"), say.begin(), say.text("First part."), say.call("c1"), say.decision("c1"), say.end()]
        .concat([say.output("c1", "x"), say.begin(), say.text("Second part."), say.end()])
        .flat(),
    )
    .filter(say.isRecord);
  const cut = records.findIndex(({ message: { payload } }) => "output" in payload);
  const late = start({ records: records.slice(cut) });
  const { rerender } = render(<Page task={late.tasks.at(-1)} />);
  const read = () => screen.getByText("Second part.");
  // The parser of Markdown loads with the first text.
  await waitFor(() => expect(read().className).toBe(""), { timeout: 20_000 });
  const before = read();
  rerender(<Page task={prepend(late, records.slice(0, cut), false).tasks.at(-1)} />);
  expect(screen.getByText("The question")).toBeTruthy();
  expect(screen.getByText("First part.")).toBeTruthy();
  expect(read()).toBe(before);
}, 25_000);
