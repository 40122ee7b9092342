import type { Me } from "@/lib/api/schemas";
import { handle, json } from "@/server/http";

export const GET = handle({ right: "signed_in" }, async ({ person, runtime: { users, projects } }) => {
  const user = await users.get(person.id);
  const me: Me = {
    user: {
      id: person.id,
      name: person.name,
      admin: person.admin,
      password_is_initial: user?.password_is_initial ?? false,
    },
    projects: await projects.of(person),
  };
  return json(me);
});
