// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { ApprovalRequest } from "@/lib/api/frames";
import { ConversationProvider, type ConversationView } from "./conversation-context";
import { ChildApproval } from "./items/child-approval";
import { goToApproval } from "./pending-row";

afterEach(cleanup);

it("26: the way from the composer ends on the row of the decision, not on its arguments and never on Allow", () => {
  const approval: ApprovalRequest = {
    id: "x1",
    tool_call: {
      type: "tool_call",
      role: "assistant",
      name: "exec_command",
      arguments: JSON.stringify({ cmd: `echo ${"long ".repeat(400)}` }),
      tool_call_id: "c1",
    },
    since: new Date().toISOString(),
  };
  const view: ConversationView = {
    sessionRef: { project: "p", agent: "a", session: "s" },
    userId: "ann",
    canWork: true,
    active: true,
    approvals: [approval],
    subagents: [],
    decided: {},
    onDecided: () => {},
    onRetryNow: () => {},
    onStop: () => {},
  };
  render(
    <ConversationProvider value={view}>
      <ChildApproval approval={approval} />
    </ConversationProvider>,
  );
  Element.prototype.scrollIntoView = vi.fn();
  const row = screen.getByRole("region", { name: /Approval needed/ });
  expect(goToApproval("x1", false)).toBe(true);
  expect(document.activeElement).not.toBe(row);
  expect(goToApproval("x1", true)).toBe(true);
  expect(document.activeElement).toBe(row);
  expect(goToApproval("gone", true)).toBe(false);
});
