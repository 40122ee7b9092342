/** Who may know of a Session: in every route, list and search the same answer. */
import type { SessionRef } from "../../lib/api/routes";
import { isVisible } from "../trace/visible";
import { refOfAgent, type SessionHost } from "./open";
import type { Session } from "./session";

/** Where Sessions are found. */
export interface Lookup {
  readonly host: SessionHost;
  peek(ref: SessionRef): Session | null;
  open(ref: SessionRef): Promise<Session | null>;
}

/** A Session that has no Trace yet. */
export function isUnsavedVisible(session: Session, person: string): boolean {
  return session.settings.visibility !== "private" || session.meta.created_by === person;
}

/** A private Session is its creator's only. Without a Trace and without a runtime there is none. */
export async function maySee(lookup: Lookup, ref: SessionRef, person: string): Promise<boolean> {
  const agent = refOfAgent(ref);
  const facts = await lookup.host.store.session(agent, ref.session);
  if (facts) return isVisible(lookup.host.store, agent, facts, person);
  const live = lookup.peek(ref);
  return live?.unsaved ? isUnsavedVisible(live, person) : false;
}
