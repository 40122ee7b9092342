import { places } from "@/lib/api/places";
import type { UsageRequestRow } from "@/lib/api/usage";

/** The record of a Request in its Trace; null: a private Session of somebody else. */
export function recordPlace(project: string, { place }: Pick<UsageRequestRow, "place">): string | null {
  if (!place) return null;
  const { agent, session_id, address } = place;
  return places.trace({ project, agent, session: session_id, index: address.file_index }, address.line);
}
