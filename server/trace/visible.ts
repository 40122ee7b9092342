/** Who may see a Session: a private one, its children and its forks are shown to its creator only. */
import type { AgentRef } from "../paths";
import type { SessionFacts } from "./catalog";

/** What it takes to tell. */
export type VisibleFacts = Pick<SessionFacts, "session_id" | "meta" | "info" | "imported" | "imported_by">;

/** Whom a Session belongs to; undefined: nobody here is known to have made it. */
export function creatorOf(facts: VisibleFacts): string | undefined {
  return facts.imported ? facts.imported_by : facts.meta?.created_by;
}

interface Source {
  session(ref: AgentRef, session: string): Promise<VisibleFacts | null>;
  /** Are Sessions of this Project that recorded no settings their creator's only? Absent: no. */
  privateByDefault?: ((project: string) => Promise<boolean>) | null;
}
type Above = { agent: string; session_id: string };

/** The Sessions it comes from whose visibility is also its own. What an imported file says of others does not count. */
function above(facts: VisibleFacts): Above[] {
  if (facts.imported) return [];
  return [facts.meta?.parent, facts.meta?.forked_from].filter((source) => source !== undefined);
}

async function isPrivate(source: Source, project: string, facts: VisibleFacts): Promise<boolean> {
  if (facts.info) return facts.info.visibility === "private";
  // What nobody here made and nobody brought in belongs to the team.
  return creatorOf(facts) !== undefined && ((await source.privateByDefault?.(project)) ?? false);
}

/** May this person see the Session? Follows parents and fork sources to the end. */
export async function isVisible(source: Source, ref: AgentRef, facts: VisibleFacts, user: string): Promise<boolean> {
  const seen = new Set<string>();
  const open: { ref: AgentRef; facts: VisibleFacts }[] = [{ ref, facts }];
  for (let next = open.pop(); next; next = open.pop()) {
    const key = `${next.ref.agent}/${next.facts.session_id}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (creatorOf(next.facts) !== user && (await isPrivate(source, ref.project, next.facts))) return false;
    for (const { agent, session_id } of above(next.facts)) {
      const at = { project: ref.project, agent };
      const found = await source.session(at, session_id).catch(() => null);
      if (found) open.push({ ref: at, facts: found });
    }
  }
  return true;
}
