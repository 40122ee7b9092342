import { AppError } from "@/lib/api/errors";
import { handle, json } from "@/server/http";

/** A new one-time link: the password so far and every sign-in end at once. Not for oneself: that would lock one out. */
export const POST = handle({ right: "admin", params: ["user"] }, async ({ person, params: { user }, runtime }) => {
  if (user === person.id) throw new AppError("bad_request", "Change your own password on your account page.");
  const found = await runtime.users.get(user);
  if (!found) throw new AppError("not_found");
  const invitation = await runtime.users.invite(user);
  runtime.streams.close((stream) => stream.person.id === user);
  await runtime.audit.write({ by: person.id, action: found.has_password ? "password.reset" : "user.invite", user });
  return json({ invitation }, 201);
});
