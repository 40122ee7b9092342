import { AppError } from "@/lib/api/errors";
import { patchUserBody, type UserBelongings } from "@/lib/api/team";
import { handle, json, noContent } from "@/server/http";
import type { Runtime } from "@/server/runtime";
import { endAllOf } from "@/server/share/ends";
import { creatorOf } from "@/server/trace/visible";

/** Somebody must be left who can manage people. */
async function refuseLastAdmin({ users }: Runtime, user: string): Promise<void> {
  const admins = await users.admins();
  if (admins.length === 1 && admins[0] === user) throw new AppError("last_admin");
}

async function sessionsOf({ projects, agents, traces }: Runtime, user: string): Promise<UserBelongings["sessions"]> {
  const count = { team: 0, private: 0 };
  for (const project of await projects.ids()) {
    for (const { id } of await agents.list(project)) {
      for (const facts of await traces.sessions({ project, agent: id })) {
        if (creatorOf(facts) === user) count[facts.info?.visibility === "private" ? "private" : "team"] += 1;
      }
    }
  }
  return count;
}

/** What hangs on a person, in numbers: asked before they are deleted. */
export const GET = handle({ right: "admin", params: ["user"] }, async ({ params: { user }, runtime }) => {
  if (!(await runtime.users.get(user))) throw new AppError("not_found");
  const memberships = await runtime.projects.membershipsOf(user);
  const belongings: UserBelongings = {
    last_owner_of: memberships.filter(({ last_owner }) => last_owner).map(({ project }) => project),
    projects: memberships.length,
    sessions: await sessionsOf(runtime, user),
  };
  return json(belongings);
});

export const PATCH = handle(
  { right: "admin", params: ["user"], body: patchUserBody },
  async ({ person, params, body, runtime }) => {
    const user = await runtime.users.alone(async () => {
      if (body.admin === false || body.disabled) await refuseLastAdmin(runtime, params.user);
      return runtime.users.patch(params.user, body);
    });
    // Projects without a list of members were theirs.
    if (body.admin === false) runtime.streams.close(({ person: { id }, project }) => id === params.user && !!project);
    if (body.disabled) {
      runtime.streams.close((stream) => stream.person.id === params.user);
      await endAllOf(runtime, await runtime.projects.ids(), params.user, person.id);
    }
    await runtime.audit.write({ by: person.id, action: "user.change", user: params.user, ...body });
    return json({ user });
  },
);

/** The id stays taken for ever. What the person did stays; a Project must have another owner first. */
export const DELETE = handle({ right: "admin", params: ["user"] }, async ({ person, params: { user }, runtime }) => {
  await runtime.users.alone(async () => {
    if (!(await runtime.users.get(user))) throw new AppError("not_found");
    await refuseLastAdmin(runtime, user);
    const memberships = await runtime.projects.membershipsOf(user);
    const alone = memberships.filter(({ last_owner }) => last_owner).map(({ project }) => project);
    if (alone.length > 0) throw new AppError("last_owner", undefined, { projects: alone });
    // Before the person: if the other owner leaves at this moment, it is refused, and nothing is owned by nobody.
    for (const { project } of memberships) {
      await runtime.projects.members.remove(project, user, []);
      await runtime.audit.write({ by: person.id, action: "member.remove", user }, project);
    }
    await runtime.users.remove(user);
  });
  runtime.streams.close((stream) => stream.person.id === user);
  await endAllOf(runtime, await runtime.projects.ids(), user, person.id);
  await runtime.audit.write({ by: person.id, action: "user.delete", user });
  return noContent();
});
