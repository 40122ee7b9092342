// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ConversationProvider, type ConversationView } from "./conversation-context";
import { QueueRows } from "./queue-rows";

afterEach(cleanup);

const VIEW: ConversationView = {
  sessionRef: { project: "p", agent: "a", session: "s1" },
  userId: "ana",
  names: new Map([["ben", "Ben Example"]]),
  canWork: true,
  active: true,
  approvals: [],
  subagents: [],
  decided: {},
  onDecided: () => {},
  onRetryNow: () => {},
  onStop: () => {},
};

it("messages that wait say whose they are when they are somebody else's", () => {
  const queue = [
    { id: "1", kind: "task" as const, text: "mine", author: "ana" },
    { id: "2", kind: "task" as const, text: "theirs", author: "ben" },
    { id: "3", kind: "steer" as const, text: "a stranger's", author: "zoe" },
  ];
  render(
    <ConversationProvider value={VIEW}>
      <QueueRows queue={queue} onRecall={async () => undefined} />
    </ConversationProvider>,
  );
  const rows = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(rows[0]).not.toContain("ana");
  expect(rows[1]).toContain("Ben Example");
  expect(screen.getByText("Ben Example").title).toBe("ben");
  expect(rows[2]).toContain("zoe");
});
