/** Groups of the provider become memberships and admins, at each sign-in: given, changed and taken back. */
import { isAppError } from "../../../lib/api/errors";
import type { Role } from "../../../lib/api/schemas";
import { higher, type Members } from "../../project/members";
import type { Federated } from "../../users/federated";
import type { Grant } from "./settings";

export interface GrantParts {
  people: Federated;
  projects: { ids(): Promise<string[]>; members: Members };
  admins(): Promise<string[]>;
  audit(entry: { action: string; user: string; [detail: string]: unknown }, project?: string): Promise<void>;
  /** What the person may do there is another thing now: open streams end. */
  changed(user: string, project: string): void;
}

/** What these groups give, the highest role of each Project. */
export function granted(grants: ReadonlyMap<string, readonly Grant[]>, groups: readonly string[]) {
  const roles = new Map<string, Role>();
  let admin = false;
  for (const grant of new Set(groups.flatMap((group) => grants.get(group) ?? []))) {
    if ("admin" in grant) {
      admin = true;
      continue;
    }
    const known = roles.get(grant.project);
    roles.set(grant.project, known ? higher(known, grant.role) : grant.role);
  }
  return { admin, roles };
}

/** Brings the person's memberships in line with `roles`; what people gave by hand stays. */
export async function applyGrants(
  parts: GrantParts,
  user: string,
  { admin, roles }: { admin: boolean; roles: ReadonlyMap<string, Role> },
): Promise<void> {
  const isAdmin = await parts.people.setAdminByGroup(user, admin);
  if (isAdmin !== null) await parts.audit({ action: "user.change", user, admin: isAdmin, by_group: true });
  const projects = await parts.projects.ids();
  for (const project of roles.keys()) {
    if (!projects.includes(project)) console.error(`[oidc] PENGUIN_OIDC_GROUPS names ${project}, which does not exist`);
  }
  const admins = await parts.admins();
  for (const project of projects) await applyRole(parts, project, user, roles.get(project) ?? null, admins);
}

async function applyRole(parts: GrantParts, project: string, user: string, role: Role | null, admins: string[]) {
  try {
    const change = await parts.projects.members.setByGroup(project, user, role, admins);
    if (!change) return;
    const { before, after } = change;
    const action = after === null ? "member.remove" : before === null ? "member.add" : "member.change";
    await parts.audit({ action, user, ...(after ? { role: after } : {}), by_group: true }, project);
    parts.changed(user, project);
  } catch (error) {
    // One Project that cannot be changed keeps nobody out of the others.
    const why =
      isAppError(error) && error.code === "last_owner" ? "the last owner stays" : "its members cannot be read";
    console.error(`[oidc] the role of ${user} in ${project} was not changed: ${why}`);
  }
}
