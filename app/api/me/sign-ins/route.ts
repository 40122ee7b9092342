/** Where one is signed in. */
import type { SignInView } from "@/lib/api/team";
import { handle, json, noContent } from "@/server/http";
import { signInId } from "@/server/users/sign-in-id";

export const GET = handle({ right: "signed_in" }, async ({ person, runtime: { users } }) => {
  const sign_ins = (await users.signIns(person.id)).map(
    ({ sid, device, created_at, last_seen_at }): SignInView => ({
      id: signInId(sid),
      ...(device ? { device } : {}),
      created_at,
      last_seen_at,
      current: sid === person.sid,
    }),
  );
  return json({ sign_ins });
});

/** Ends all others. */
export const DELETE = handle({ right: "signed_in" }, async ({ person, runtime: { users, streams, audit } }) => {
  const others = (await users.signIns(person.id)).filter(({ sid }) => sid !== person.sid);
  for (const { sid } of others) await users.endSignIn(person.id, sid);
  const ended = new Set(others.map(({ sid }) => sid));
  streams.close(({ person: { id, sid } }) => id === person.id && ended.has(sid));
  await audit.write({ by: person.id, action: "sign_in.end", count: others.length });
  return noContent();
});
