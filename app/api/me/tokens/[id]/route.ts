import { tokenSid } from "@/server/auth/person";
import { handle, noContent } from "@/server/http";

/** A token that is revoked loses its open streams at once. */
export const DELETE = handle({ right: "signed_in", params: ["id"] }, async ({ person, params, runtime }) => {
  await runtime.tokens.revoke(person.id, params.id);
  runtime.streams.close(({ person: { id, sid } }) => id === person.id && sid === tokenSid(params.id));
  await runtime.audit.write({ by: person.id, action: "token.revoke", id: params.id });
  return noContent();
});
