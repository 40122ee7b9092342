/** The first message of a conversation creates its Session; when it fails, none is left behind. */
import { send } from "@/lib/api/client";
import { routes } from "@/lib/api/routes";
import type { CreateSessionBody, SessionView } from "@/lib/api/schemas";
import type { Outgoing } from "./use-outgoing";

export interface NewConversation {
  project: string;
  agent: string;
  settings: Omit<CreateSessionBody, "client_id">;
}
export type Started = { ok: true; session: string } | { ok: false; message: string };

export async function startConversation(
  { project, agent, settings }: NewConversation,
  message: Outgoing,
): Promise<Started> {
  const { client_id, parts } = message;
  const created = await send<{ session: Pick<SessionView, "id"> }>("POST", routes.sessions(project, agent), {
    ...settings,
    client_id,
  });
  if (!created.ok) return { ok: false, message: created.error.message };
  const session = created.data.session.id;
  const ref = { project, agent, session };
  const thinking_level = settings.thinking_level;
  const task = await send("POST", routes.tasks(ref), {
    input: parts,
    client_id,
    ...(thinking_level && { thinking_level }),
  });
  if (task.ok) return { ok: true, session };
  // Only a refusal is certain not to have started anything; after a lost answer the same key finds the same Session.
  if (task.error.code !== "network") await send("DELETE", routes.session(ref));
  return { ok: false, message: task.error.message };
}
