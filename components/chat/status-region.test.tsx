// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { ApprovalRequest, RunState } from "@/lib/api/frames";
import { EMPTY } from "@/lib/trace/transcript";
import type { SessionState } from "./session-store";
import { StatusRegion } from "./status-region";

afterEach(cleanup);

const state = (run: RunState, more: Partial<SessionState> = {}): SessionState => ({
  transcript: EMPTY,
  run: { state: run },
  queue: [],
  people: [],
  approvals: [],
  decided: {},
  connection: "live",
  broken_since: null,
  loaded: true,
  restarted: false,
  older: "idle",
  ...more,
});

it("ux 49: a finished answer is announced once, its words and the opening of a page never", async () => {
  const said: string[] = [];
  const { rerender } = render(<StatusRegion state={state("idle", { loaded: false })} />);
  const region = screen.getByRole("status");
  const observer = new MutationObserver(() => said.push(region.textContent ?? ""));
  observer.observe(region, { childList: true, characterData: true, subtree: true });
  const show = async (next: SessionState) => {
    rerender(<StatusRegion state={next} />);
    await Promise.resolve();
  };
  await show(state("idle"));
  await show(state("running"));
  for (let i = 0; i < 5; i++) await show(state("running", { transcript: { ...EMPTY } }));
  await show(state("idle"));
  await show(state("idle", { transcript: { ...EMPTY } }));
  expect(said).toEqual(["The Agent is answering", "Answer complete"]);
});

it("an end that is none of the answer is called what it is", async () => {
  const failed = state("idle", { run: { state: "idle", error: { code: "auth", message: "No key." } } });
  const { rerender } = render(<StatusRegion state={state("running")} />);
  rerender(<StatusRegion state={failed} />);
  expect(screen.getByRole("status").textContent).toBe("The Task failed");
});

it("ux 26: what waits for a decision is said at once", () => {
  const waiting: ApprovalRequest = {
    id: "a",
    tool_call: { type: "tool_call", role: "assistant", name: "exec_command", arguments: "{}", tool_call_id: "c" },
    since: "2026-01-01T00:00:00.000Z",
  };
  render(<StatusRegion state={state("running", { approvals: [waiting] })} />);
  expect(screen.getByRole("alert").textContent).toContain("exec_command");
});
