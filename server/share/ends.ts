/** Somebody left a Project, became a viewer there, or cannot sign in any more: what of theirs does not go on without them. */
import type { Audit } from "../audit";
import type { Shares } from "./shares";

interface Parts {
  shares: Shares;
  audit: Pick<Audit, "write">;
  sessions: { endPrivate(project: string, user: string, by: string): Promise<void> };
}

/** Ends their share links, for good: who comes back makes new ones. And what runs where nobody else may look or press Stop. */
export async function endAllOf(
  { shares, audit, sessions }: Parts,
  projects: readonly string[],
  user: string,
  by: string,
): Promise<void> {
  for (const project of projects) {
    for (const { id } of await shares.revokeOf(project, user, by)) {
      await audit.write({ by, action: "share.revoke", share: id, maker: user }, project);
    }
  }
  await Promise.all(projects.map((project) => sessions.endPrivate(project, user, by)));
}
