import { describe, expect, it } from "vitest";
import type { SessionView } from "@/lib/api/schemas";
import { groupByDay, liveStates, matchTitle, newestFirst, waitingApprovals } from "./conversations";

const session = (id: string, last_active_at: string, title: string | null = null): SessionView => ({
  id,
  project: "p",
  agent: "a",
  provider: "demo",
  model_id: "demo",
  workspace: "/w",
  title,
  archived: false,
  approval_mode: "read-only",
  thinking_level: null,
  visibility: "team",
  created_at: last_active_at,
  last_active_at,
  status: "idle",
  pending_approvals: 0,
  has_trace: true,
});

describe("the list of conversations", () => {
  const now = new Date(2026, 4, 10, 15).getTime();
  const at = (day: number, hour = 12) => new Date(2026, 4, day, hour).toISOString();

  it("groups by day and leaves empty groups out", () => {
    const list = [session("a", at(10)), session("b", at(9, 23)), session("c", at(10, 1)), session("d", at(4))];
    expect(groupByDay(newestFirst(list), now).map((g) => [g.group, g.sessions.map((s) => s.id)])).toEqual([
      ["today", ["a", "c"]],
      ["yesterday", ["b"]],
      ["week", ["d"]],
    ]);
  });
  it("searches titles by all words, in any order and case", () => {
    const list = [session("a", at(1), "Fix the Build"), session("b", at(1), "Build docs"), session("c", at(1))];
    expect(matchTitle(list, "build FIX").map((s) => s.id)).toEqual(["a"]);
    expect(matchTitle(list, "  ").length).toBe(3);
  });
  it("keeps Sessions with one id under two Agents apart and sums approvals", () => {
    const status = {
      sessions: [
        { agent: "a", session_id: "x", state: "running" as const, pending_approvals: 2 },
        { agent: "b", session_id: "x", state: "idle" as const, pending_approvals: 1 },
      ],
    };
    expect(liveStates(status).get("a/x")).toEqual({ state: "running", approvals: 2 });
    expect(liveStates(status).get("b/x")?.state).toBe("idle");
    expect(waitingApprovals(status)).toBe(3);
    expect(waitingApprovals(undefined)).toBe(0);
  });
});
