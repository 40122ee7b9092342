import { AppError } from "@/lib/api/errors";
import { handle, noContent } from "@/server/http";
import { signInId } from "@/server/users/sign-in-id";

/** Ends one sign-in, wherever it is; its open streams end at once. */
export const DELETE = handle({ right: "signed_in", params: ["id"] }, async ({ person, params, runtime }) => {
  const { users, streams, audit } = runtime;
  const found = (await users.signIns(person.id)).find(({ sid }) => signInId(sid) === params.id);
  if (!found) throw new AppError("not_found");
  await users.endSignIn(person.id, found.sid);
  streams.close(({ person: { id, sid } }) => id === person.id && sid === found.sid);
  await audit.write({ by: person.id, action: "sign_in.end", count: 1 });
  return noContent();
});
