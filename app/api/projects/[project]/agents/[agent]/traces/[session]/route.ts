/** A Session's Trace as a whole: its files with their lines, where it comes from, whether it is at work. */
import type { TraceOverview } from "@/lib/api/trace-overview";
import { handle, json } from "@/server/http";
import { readableSession } from "@/server/trace/access";

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"] },
  async ({ params, person, runtime }) => {
    const facts = await readableSession(runtime.traces, params, person.id);
    const files = await runtime.traces.filesWithLines(params, params.session);
    const { meta } = facts;
    const window = meta?.model_context_window;
    return json({
      session_id: params.session,
      title: facts.info?.title ?? facts.title_fallback,
      imported: facts.imported,
      files,
      provider: meta?.provider,
      model_id: meta?.model_id,
      context_window: typeof window === "number" ? window : undefined,
      workspace: meta?.workspace,
      created_by: meta?.created_by,
      source: meta?.source,
      parent: meta?.parent,
      forked_from: meta?.forked_from,
      switched_from: meta?.switched_from,
      handoff_from: meta?.handoff_from,
      state: runtime.sessions.peek(params)?.status ?? "idle",
    } satisfies TraceOverview);
  },
);
