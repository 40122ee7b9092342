/** What every page asks first: who is looking, and may they see this Project? */
import { notFound, redirect } from "next/navigation";
import { isAppError } from "@/lib/api/errors";
import type { Role } from "@/lib/api/schemas";
import { requireRight } from "@/server/auth/access";
import { currentPerson } from "@/server/auth/current";
import type { Person } from "@/server/auth/person";
import { runtime } from "@/server/runtime";

/** The signed-in person; everybody else goes to sign-in and comes back to `path`. */
export async function signedIn(path: string): Promise<Person> {
  const person = await currentPerson();
  if (!person) redirect(path === "/" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(path)}`);
  return person;
}

/** The person and their role; the same "not found" for a Project that does not exist and one they are not in. */
export async function openProject(path: string, project: string): Promise<{ person: Person; role: Role }> {
  const person = await signedIn(path);
  const role = await roleIn(project, person);
  if (!role) notFound();
  return { person, role };
}

/** The role with which a page is drawn; null: whoever looks is not in this Project, which each page tells by itself. */
export async function drawnRole(project: string): Promise<Role | null> {
  const person = await currentPerson();
  return person && roleIn(project, person);
}

async function roleIn(project: string, person: Person): Promise<Role | null> {
  try {
    return await requireRight((await runtime()).projects, person, "read", project);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return null;
  }
}

/** The same for a page below an Agent. */
export async function openAgent(path: string, ref: { project: string; agent: string }) {
  const opened = await openProject(path, ref.project);
  if (!(await (await runtime()).agents.exists(ref))) notFound();
  return opened;
}

/** Where a Project opens: the Agent used last, or its first one; null when it has none. */
export async function startAgent(project: string, last: string | undefined): Promise<string | null> {
  const agents = await (await runtime()).agents.list(project);
  const [lastProject, lastAgent] = (last ?? "").split("/");
  const known = lastProject === project && agents.some((agent) => agent.id === lastAgent) ? lastAgent : undefined;
  return known ?? agents.find((agent) => agent.id === "default_agent")?.id ?? agents[0]?.id ?? null;
}
