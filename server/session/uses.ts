/** What still uses a model: asked before it is removed. */
import type { ModelRef, ModelUses } from "../../lib/api/schemas";
import type { AgentRef } from "../paths";
import type { TraceStore } from "../trace/store";

const RECENT_MS = 30 * 24 * 60 * 60 * 1000;

/** Counts the stored Sessions of these Agents under this pair. */
export async function modelUses(
  store: Pick<TraceStore, "sessions">,
  agents: AgentRef[],
  { provider, model_id }: ModelRef,
  now: Date,
): Promise<ModelUses> {
  const all = (await Promise.all(agents.map((agent) => store.sessions(agent)))).flat();
  const using = all.filter(({ meta }) => meta?.provider === provider && meta.model_id === model_id);
  const recent = using.filter(
    ({ info, last_active_at }) => !info?.archived && now.getTime() - Date.parse(last_active_at) < RECENT_MS,
  );
  return { sessions: using.length, recent: recent.length };
}
