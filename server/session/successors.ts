/** Which Sessions go on from one: read from their own meta, since nothing is written into the source. */
import type { SessionRef } from "../../lib/api/routes";
import type { Successor } from "../../lib/api/schemas";
import type { SessionMetaPayload } from "../../lib/omni/message";
import type { AgentRef } from "../paths";
import type { SessionFacts } from "../trace/catalog";
import { isVisible } from "../trace/visible";
import { shortTitle } from "./info";
import type { SessionHost } from "./open";
import { agentsOf } from "./workspaces";

const MAX_SUCCESSORS = 20;

/** Oldest first; only those that this person may see. */
export async function successorsOf(
  host: Pick<SessionHost, "layout" | "store">,
  ref: SessionRef,
  person: string,
): Promise<Successor[]> {
  const found: Successor[] = [];
  for (const agent of await agentsOf(host, ref.project)) {
    for (const facts of await host.store.sessions(agent)) {
      const kind = facts.imported ? null : kindOf(facts.meta, ref);
      if (kind && (await isVisible(host.store, agent, facts, person))) found.push(successor(kind, agent, facts));
    }
  }
  return found.sort((a, b) => a.created_at.localeCompare(b.created_at)).slice(-MAX_SUCCESSORS);
}

function kindOf(meta: SessionMetaPayload | null, ref: SessionRef): Successor["kind"] | null {
  const is = (source: { agent: string; session_id: string } | undefined) =>
    source?.agent === ref.agent && source.session_id === ref.session;
  if (is(meta?.switched_from)) return "switch";
  if (is(meta?.handoff_from)) return "handoff";
  return is(meta?.forked_from) ? "fork" : null;
}

function successor(kind: Successor["kind"], { agent }: AgentRef, facts: SessionFacts): Successor {
  return {
    kind,
    agent,
    session_id: facts.session_id,
    title: facts.info?.title ?? shortTitle(facts.title_fallback),
    model_id: facts.meta?.model_id ?? "",
    created_at: facts.created_at,
    ...(facts.meta?.created_by ? { created_by: facts.meta.created_by } : {}),
  };
}
