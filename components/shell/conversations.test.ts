import { describe, expect, it } from "vitest";
import type { SessionView } from "@/lib/api/schemas";
import { titleHolds } from "@/lib/api/titles";
import { groupBy, isUnread, liveStates, newestFirst, newsBetween, waitingApprovals } from "./conversations";

const session = (id: string, last_active_at: string, more: Partial<SessionView> = {}): SessionView => ({
  id,
  project: "p",
  agent: "a",
  provider: "demo",
  model_id: "demo",
  workspace: "/w",
  title: null,
  archived: false,
  approval_mode: "read-only",
  thinking_level: null,
  visibility: "team",
  created_at: last_active_at,
  last_active_at,
  status: "idle",
  pending_approvals: 0,
  has_trace: true,
  ...more,
});

describe("the list of conversations", () => {
  const now = new Date(2026, 4, 10, 15).getTime();
  const agents = [{ id: "b", name: "Builder" }];
  const at = (day: number, hour = 12) => new Date(2026, 4, day, hour).toISOString();
  const names = (list: SessionView[], grouping: Parameters<typeof groupBy>[1]) =>
    groupBy(newestFirst(list), grouping, { now, agents }).map(({ name, sessions }) => [
      name,
      sessions.map((s) => s.id),
    ]);

  it("groups by day and leaves empty groups out", () => {
    const list = [session("a", at(10)), session("b", at(9, 23)), session("c", at(10, 1)), session("d", at(4))];
    expect(names(list, "date")).toEqual([
      [{ day: "today" }, ["a", "c"]],
      [{ day: "yesterday" }, ["b"]],
      [{ day: "week" }, ["d"]],
    ]);
  });
  it("groups by folder, temporary ones together, and by Agent; the newest group first", () => {
    const list = [
      session("a", at(3), { workspace: "/home/x/site" }),
      session("b", at(5), { workspace: "/r/tmp-0a1b2c3d", agent: "b" }),
      session("c", at(4), { workspace: "/r/tmp-00000000" }),
    ];
    expect(names(list, "workspace")).toEqual([
      [{ temporary: true }, ["b", "c"]],
      [{ name: "site", path: "/home/x/site" }, ["a"]],
    ]);
    expect(names(list, "agent")).toEqual([
      [{ name: "Builder" }, ["b"]],
      [{ name: "a" }, ["c", "a"]],
    ]);
  });
  it("unread: newer than what was seen; without an entry, newer than the first visit; never before that", () => {
    const one = session("x", at(5));
    expect(isUnread(one, undefined)).toBe(false);
    expect(isUnread(one, { pins: [], seen: {} })).toBe(false);
    expect(isUnread(one, { pins: [], seen: {}, read_before: at(4) })).toBe(true);
    expect(isUnread(one, { pins: [], seen: { "a/x": at(5) }, read_before: at(4) })).toBe(false);
    expect(isUnread(one, { pins: [], seen: { "a/x": "" }, read_before: at(9) })).toBe(true);
  });
  it("searches titles by all words, in any order and case", () => {
    expect(titleHolds("Fix the Build", "build FIX")).toBe(true);
    expect(titleHolds("Build docs", "build fix")).toBe(false);
    expect(titleHolds(null, "  ")).toBe(true);
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
  it("news: a new question, and an end; a decision or a start is none", () => {
    const of = (state: "idle" | "running", approvals: number) => new Map([["a/x", { state, approvals }]]);
    expect(newsBetween(of("running", 0), of("running", 1))).toEqual([{ key: "a/x", kind: "approval" }]);
    expect(newsBetween(of("running", 1), of("running", 0))).toEqual([]);
    expect(newsBetween(new Map(), of("running", 0))).toEqual([]);
    expect(newsBetween(of("running", 0), new Map())).toEqual([{ key: "a/x", kind: "ended" }]);
  });
});
