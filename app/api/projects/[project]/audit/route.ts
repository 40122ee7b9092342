/** The Project's audit log, newest first. */
import { z } from "zod";
import { AUDIT_KINDS, isOfKind } from "@/lib/api/audit";
import { asSeenBy, readAudit } from "@/server/audit-log";
import { handle, json } from "@/server/http";
import { isGenericId } from "@/server/paths";
import { isVisible } from "@/server/trace/visible";

const query = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.coerce.number().int().min(0).optional(),
  kind: z.enum(AUDIT_KINDS).optional(),
  by: z.string().max(64).optional(),
});

export const GET = handle({ right: "own", params: ["project"], query }, async ({ params, query, person, runtime }) => {
  const { limit, before, kind, by } = query;
  const { project } = params;
  const maySee = async (agent: string, session: string) => {
    const ref = { project, agent };
    const facts = isGenericId(agent) ? await runtime.traces.session(ref, session).catch(() => null) : null;
    return facts && isVisible(runtime.traces, ref, facts, person.id);
  };
  const page = await readAudit(runtime.layout.projectAudit(project), {
    limit,
    before,
    keep: (entry) => (kind === undefined || isOfKind(entry.action, kind)) && (by === undefined || entry.by === by),
  });
  return json({ ...page, entries: await asSeenBy(person.id, page.entries, maySee) });
});
