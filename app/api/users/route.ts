import type { Invitation, UserView } from "@/lib/api/team";
import { createUserBody } from "@/lib/api/team";
import { handle, json } from "@/server/http";

export const GET = handle({ right: "admin" }, async ({ runtime: { users } }) => json({ users: await users.list() }));

export const POST = handle(
  { right: "admin", body: createUserBody },
  async ({ person, body, runtime: { users, audit } }) => {
    const made: UserView = await users.create(body);
    const invitation: Invitation | null = body.password === undefined ? await users.invite(made.id) : null;
    await audit.write({ by: person.id, action: "user.create", user: made.id, admin: made.admin });
    const user = (await users.get(made.id)) ?? made;
    return json({ user, ...(invitation ? { invitation } : {}) }, 201);
  },
);
