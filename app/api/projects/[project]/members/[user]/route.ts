import { patchMemberBody } from "@/lib/api/team";
import { handle, json, noContent } from "@/server/http";
import { endAllOf } from "@/server/share/ends";

export const PATCH = handle(
  { right: "own", params: ["project", "user"], body: patchMemberBody },
  async ({ person, params: { project, user }, body, runtime }) => {
    await runtime.projects.members.setRole(project, { user, role: body.role }, await runtime.users.admins());
    // Windows connect again at once, and learn what the person may do now.
    runtime.streams.close((stream) => stream.person.id === user && stream.project === project);
    await runtime.audit.write({ by: person.id, action: "member.change", user, role: body.role }, project);
    if (body.role === "viewer") await endAllOf(runtime, [project], user, person.id);
    return json({ member: { user, role: body.role } });
  },
);

/** The removed person loses open streams at once, the links they shared, and what runs where only they may look. */
export const DELETE = handle(
  { right: "own", params: ["project", "user"] },
  async ({ person, params: { project, user }, runtime }) => {
    await runtime.projects.members.remove(project, user, await runtime.users.admins());
    runtime.streams.close((stream) => stream.person.id === user && stream.project === project);
    await runtime.audit.write({ by: person.id, action: "member.remove", user }, project);
    await endAllOf(runtime, [project], user, person.id);
    return noContent();
  },
);
