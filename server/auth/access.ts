/** The one place that decides: may this person do this, here? */
import { AppError } from "../../lib/api/errors";
import type { Role } from "../../lib/api/schemas";
import type { Person } from "./person";

/**
 * `signed_in` and `admin` need no Project; `read` = viewer and up, `work` = member and up, `own` = owner; `join` =
 * owner, or an admin, who sees the ids of all Projects and may add themselves.
 */
export type Right = "signed_in" | "admin" | "read" | "work" | "own" | "join";

const NEEDS: Record<"read" | "work" | "own" | "join", readonly Role[]> = {
  read: ["viewer", "member", "owner"],
  work: ["member", "owner"],
  own: ["owner"],
  join: ["owner"],
};

/** What access needs to know about Projects. */
export interface ProjectRoles {
  exists(project: string): Promise<boolean>;
  role(project: string, person: { id: string; admin: boolean }): Promise<Role | null>;
}

/**
 * Returns the role (null without a Project) or throws: `not_found` for outsiders, exactly as for a made-up id;
 * `forbidden` for members without the right.
 */
export async function requireRight(
  projects: ProjectRoles,
  person: Person,
  right: Right,
  project: string | undefined,
): Promise<Role | null> {
  if (right === "admin" && !person.admin) throw new AppError("forbidden");
  if (right === "admin" || right === "signed_in") return refuseToken(person, right);
  if (project === undefined) throw new Error(`The right "${right}" needs a project parameter`);
  const exists = await projects.exists(project);
  const covered = person.token?.projects?.includes(project) ?? true;
  const role = exists && covered ? await projects.role(project, person) : null;
  if (exists && right === "join" && person.admin) return role;
  if (!role) throw new AppError("not_found");
  if (!NEEDS[right].includes(role)) throw new AppError("forbidden");
  refuseToken(person, right);
  return role;
}

/** A token reads, or works, in Projects; it manages nothing. */
function refuseToken({ token }: Person, right: Right): null {
  if (!token) return null;
  const scopes = right === "read" ? ["read", "work"] : right === "work" ? ["work"] : [];
  if (token.scopes.some((scope) => scopes.includes(scope))) return null;
  throw new AppError("forbidden", "This access token does not have the right to do this.");
}
