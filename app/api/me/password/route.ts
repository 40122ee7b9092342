import { AppError } from "@/lib/api/errors";
import { passwordBody } from "@/lib/api/team";
import { handle, noContent } from "@/server/http";

/** Changes one's own password; every other sign-in ends. */
export const POST = handle({ right: "signed_in", body: passwordBody }, async ({ person, body, runtime }) => {
  const { users, throttle, streams, audit } = runtime;
  const fits = await throttle.attempt(person.id, () => users.verify(person.id, body.current));
  if (!fits) throw new AppError("password_mismatch");
  await users.setPassword(person.id, body.next, { initial: false, keep: person.sid });
  streams.close((stream) => stream.person.id === person.id && stream.person.sid !== person.sid);
  await audit.write({ by: person.id, action: "password.change" });
  return noContent();
});
