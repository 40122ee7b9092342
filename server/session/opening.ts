/** What the stream of a Session begins with, for a page that brings it along. */
import type { Opening } from "../../lib/api/frames";
import type { SessionRef } from "../../lib/api/routes";
import type { Lookup } from "./access";
import { foundSession } from "./found";

/** As JSON of `Opening`; null when there is nothing that this person may read: the stream itself says why. */
export async function openingOf(lookup: Lookup, ref: SessionRef, person: { id: string }): Promise<string | null> {
  try {
    const session = await foundSession(lookup, ref, person);
    const opening: Opening = session.channel.opening();
    return JSON.stringify(opening);
  } catch {
    return null;
  }
}
