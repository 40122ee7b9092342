import { AppError } from "@/lib/api/errors";
import { addMemberBody, type MemberView } from "@/lib/api/team";
import { handle, json } from "@/server/http";
import type { Member } from "@/server/project/members";

export const GET = handle({ right: "read", params: ["project"], tokens: "never" }, async ({ params, runtime }) => {
  const owners = async (): Promise<Member[]> => (await runtime.users.admins()).map((user) => ({ user, role: "owner" }));
  const members = (await runtime.projects.members.list(params.project)) ?? (await owners());
  const named = members.map(async ({ user, role, by_group }): Promise<MemberView> => {
    // A file that cannot be read costs a name, not the list.
    const { name = user, disabled } = (await runtime.users.get(user).catch(() => null)) ?? {};
    return { user, role, name, ...(disabled ? { disabled } : {}), ...(by_group ? { by_group } : {}) };
  });
  return json({ members: await Promise.all(named) });
});

export const POST = handle(
  { right: "join", params: ["project"], body: addMemberBody },
  async ({ person, params, body, role, runtime }) => {
    // An admin who is no owner may add themselves, and nobody else.
    if (role !== "owner" && body.user !== person.id) throw new AppError("forbidden");
    if (!(await runtime.users.get(body.user))) throw new AppError("no_such_user");
    await runtime.projects.members.add(params.project, body, await runtime.users.admins());
    await runtime.audit.write({ by: person.id, action: "member.add", ...body }, params.project);
    return json({ member: body }, 201);
  },
);
