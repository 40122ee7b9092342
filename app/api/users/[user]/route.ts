import { AppError } from "@/lib/api/errors";
import { patchUserBody } from "@/lib/api/team";
import { handle, json, noContent } from "@/server/http";
import type { Runtime } from "@/server/runtime";

/** Somebody must be left who can manage people. */
async function refuseLastAdmin({ users }: Runtime, user: string): Promise<void> {
  const admins = await users.admins();
  if (admins.length === 1 && admins[0] === user) throw new AppError("last_admin");
}

export const PATCH = handle(
  { right: "admin", params: ["user"], body: patchUserBody },
  async ({ person, params, body, runtime }) => {
    if (body.admin === false) await refuseLastAdmin(runtime, params.user);
    const user = await runtime.users.patch(params.user, body);
    await runtime.audit.write({ by: person.id, action: "user.change", user: params.user, ...body });
    return json({ user });
  },
);

/** The id stays taken for ever. */
export const DELETE = handle({ right: "admin", params: ["user"] }, async ({ person, params, runtime }) => {
  await refuseLastAdmin(runtime, params.user);
  await runtime.users.remove(params.user);
  runtime.streams.close((stream) => stream.person.id === params.user);
  await runtime.audit.write({ by: person.id, action: "user.delete", user: params.user });
  return noContent();
});
