/** The first message of a conversation creates its Session; when it fails, none is left behind. */
import { send } from "@/lib/api/client";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { CreateSessionBody, SessionView } from "@/lib/api/schemas";
import type { Outgoing } from "./use-outgoing";

export interface NewConversation {
  project: string;
  agent: string;
  settings: Omit<CreateSessionBody, "client_id">;
}
export type Started = { ok: true; session: string } | { ok: false; message: string; code?: string };

export async function startConversation(
  { project, agent, settings }: NewConversation,
  message: Outgoing,
): Promise<Started> {
  const { client_id, parts, staged } = message;
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
    ...(staged.goal && { goal: staged.goal }),
  });
  if (task.ok) return { ok: true, session };
  // Only a refusal is certain not to have started anything; after a lost answer the same key finds the same Session.
  if (task.error.code !== "network") await send("DELETE", routes.session(ref));
  return { ok: false, message: task.error.message };
}

/**
 * Sends a message with a staged model or Agent: a new Session that names this one as its source. `workspace`: for a
 * switch whose source lost its own; null: a temporary one.
 */
export function goOn(from: SessionRef, message: Outgoing, workspace?: string | null): Promise<Started> {
  const { model, agent } = message.staged;
  const source = { agent: from.agent, session_id: from.session };
  const settings = model
    ? {
        model: { provider: model.provider, model_id: model.model_id },
        switched_from: source,
        ...(workspace === undefined ? {} : { workspace }),
      }
    : { handoff_from: source };
  return startConversation({ project: from.project, agent: agent?.id ?? from.agent, settings }, message);
}
