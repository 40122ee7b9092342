import { createUserBody } from "@/lib/api/team";
import { handle, json } from "@/server/http";

export const GET = handle({ right: "admin" }, async ({ runtime: { users } }) => json({ users: await users.list() }));

export const POST = handle(
  { right: "admin", body: createUserBody },
  async ({ person, body, runtime: { users, audit } }) => {
    const user = await users.create(body);
    await audit.write({ by: person.id, action: "user.create", user: user.id, admin: user.admin });
    return json({ user }, 201);
  },
);
