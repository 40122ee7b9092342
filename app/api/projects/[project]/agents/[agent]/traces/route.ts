/** The Traces of an Agent: list, and import of one file. */
import { z } from "zod";
import { AppError } from "@/lib/api/errors";
import type { ImportResult, TracesPage } from "@/lib/api/schemas";
import { handle, json } from "@/server/http";
import { positionOf } from "@/server/trace/catalog";
import { isVisible } from "@/server/trace/visible";
import { importOptions } from "./import-options";

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
});
const importQuery = z.object({ accept_damage: z.enum(["0", "1"]).optional() });

export const GET = handle(
  { right: "read", params: ["project", "agent"], query: listQuery },
  async ({ params, query, person, runtime }) => {
    // Newest activity first; the position in that order is the cursor.
    const all = await runtime.traces.newest(params);
    const { cursor } = query;
    const from = cursor === undefined ? 0 : all.findIndex((facts) => positionOf(facts) < cursor);
    const sessions: TracesPage["sessions"] = [];
    let next_cursor: string | undefined;
    for (const facts of from < 0 ? [] : all.slice(from)) {
      if (!(await isVisible(runtime.traces, params, facts, person.id))) continue;
      if (sessions.length === query.limit) {
        const last = sessions.at(-1);
        next_cursor = last && positionOf(last);
        break;
      }
      const { session_id, last_active_at, imported, files } = facts;
      const title = facts.info?.title ?? facts.title_fallback;
      const { provider, model_id } = facts.meta ?? {};
      const model = provider && model_id ? { model: `${provider}/${model_id}` } : {};
      sessions.push({ session_id, title, last_active_at, imported, ...model, files });
    }
    return json({ sessions, ...(next_cursor ? { next_cursor } : {}) } satisfies TracesPage);
  },
);

export const POST = handle(
  { right: "work", params: ["project", "agent"], query: importQuery, raw: true },
  async ({ params, query, person, request, runtime }) => {
    const acceptDamage = query.accept_damage === "1";
    const options = importOptions({ request, runtime, agent: params, by: person.id, acceptDamage });
    const outcome = await runtime.traces.import(params, request.body ?? new Blob().stream(), options);
    if (!outcome.ok) throw new AppError(outcome.code, outcome.message, outcome.details);
    const { session_id, index, date, damaged } = outcome;
    const entry = { by: person.id, action: "trace.import", agent: params.agent, session: session_id };
    await runtime.audit.write({ ...entry, damaged: damaged.length }, params.project);
    return json({ session_id, index, date, damaged } satisfies ImportResult, 201);
  },
);
