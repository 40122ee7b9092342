/** From the ids of a path to a Session, for routes: everything this person may not know of is 404. */
import { AppError } from "../../lib/api/errors";
import type { SessionRef } from "../../lib/api/routes";
import { type Lookup, maySee } from "./access";
import type { Session } from "./session";

/** Throws `not_found`. */
export async function foundSession(lookup: Lookup, ref: SessionRef, person: { id: string }): Promise<Session> {
  const session = (await maySee(lookup, ref, person.id)) ? await lookup.open(ref) : null;
  if (!session) throw new AppError("not_found");
  return session;
}
