import type { Me } from "@/lib/api/schemas";
import { patchMeBody } from "@/lib/api/team";
import type { Person } from "@/server/auth/person";
import { handle, json } from "@/server/http";
import type { Runtime } from "@/server/runtime";

async function view({ users, projects }: Runtime, person: Person): Promise<Me> {
  const user = await users.get(person.id);
  return {
    user: {
      id: person.id,
      name: user?.name ?? person.name,
      admin: person.admin,
      password_is_initial: user?.password_is_initial ?? false,
      has_password: user?.has_password ?? false,
    },
    projects: await projects.of(person),
    preferences: await users.preferences(person.id),
  };
}

export const GET = handle({ right: "signed_in" }, async ({ person, runtime }) => json(await view(runtime, person)));

/** One's own name, and what one prefers in every browser. */
export const PATCH = handle({ right: "signed_in", body: patchMeBody }, async ({ person, body, runtime }) => {
  const { name, ...preferences } = body;
  if (name !== undefined) await runtime.users.patch(person.id, { name });
  if (Object.keys(preferences).length > 0) await runtime.users.setPreferences(person.id, preferences);
  return json(await view(runtime, person));
});
