import { expect, it } from "vitest";
import type { SessionFacts } from "../trace/catalog";
import { modelUses } from "./uses";

const now = new Date("2026-06-30T00:00:00Z");
const facts = (model_id: string, last_active_at: string, archived = false): SessionFacts => ({
  session_id: `s-${model_id}-${last_active_at}`,
  files: [],
  meta: { session_id: "s", provider: "p", model_id },
  info: {
    type: "session_info",
    title: null,
    archived,
    approval_mode: "read-only",
    thinking_level: null,
    visibility: "private",
  },
  title_fallback: null,
  last_active_at,
  created_at: last_active_at,
  imported: false,
  bytes: 0,
});

it("counts the Sessions of one model in all Agents, and those that somebody may want to go on with", async () => {
  const stored: Record<string, SessionFacts[]> = {
    a: [
      facts("m", "2026-06-29T00:00:00Z"),
      facts("m", "2026-06-29T00:00:00Z", true),
      facts("other", "2026-06-29T00:00:00Z"),
    ],
    b: [facts("m", "2026-01-01T00:00:00Z"), { ...facts("m", "2026-06-29T00:00:00Z"), meta: null }],
  };
  const store = { sessions: async ({ agent }: { agent: string }) => stored[agent] ?? [] };
  const agents = ["a", "b"].map((agent) => ({ project: "x", agent }));
  expect(await modelUses(store, agents, { provider: "p", model_id: "m" }, now)).toEqual({ sessions: 3, recent: 1 });
});
