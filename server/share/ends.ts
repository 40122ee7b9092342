/** What ends the links of a person: they left the Project, became a viewer, or cannot sign in any more. */
import type { Audit } from "../audit";
import type { Shares } from "./shares";

/** For good: who comes back makes new ones. */
export async function endShares(
  { shares, audit }: { shares: Shares; audit: Pick<Audit, "write"> },
  projects: readonly string[],
  user: string,
  by: string,
): Promise<void> {
  for (const project of projects) {
    for (const { id } of await shares.revokeOf(project, user, by)) {
      await audit.write({ by, action: "share.revoke", share: id, maker: user }, project);
    }
  }
}
