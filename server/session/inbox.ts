/** All calls of a Project that wait for a person. */
import type { WaitingApproval } from "../../lib/api/schemas";
import { maySee } from "./access";
import { shortTitle } from "./info";
import { refOfAgent } from "./open";
import type { SessionRegistry } from "./registry";

/** Longest wait first. What a subagent asks stands with the Session it works for. */
export async function waitingApprovals(
  registry: SessionRegistry,
  project: string,
  person: string,
): Promise<WaitingApproval[]> {
  const asking = registry
    .live()
    .filter(({ ref, approvals, heldBy }) => ref.project === project && !heldBy && approvals.pending().length > 0);
  const rows = await Promise.all(
    asking.map(async ({ ref, meta, settings, approvals }): Promise<WaitingApproval[]> => {
      if (!(await maySee(registry, ref, person))) return [];
      const facts = await registry.host.store.session(refOfAgent(ref), ref.session);
      const title = settings.title ?? shortTitle(facts?.title_fallback ?? null);
      const of = {
        agent: ref.agent,
        session_id: ref.session,
        title,
        workspace: meta.workspace ?? "",
        model_id: meta.model_id ?? "",
      };
      return approvals.pending().map((request) => ({ ...of, ...request }));
    }),
  );
  return rows.flat().sort((a, b) => a.since.localeCompare(b.since));
}
