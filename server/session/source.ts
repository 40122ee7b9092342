/** Where a new Session comes from (/model, /agent): access, Workspace, and the block that tells the model. */
import { AppError } from "../../lib/api/errors";
import type { CreateSessionBody } from "../../lib/api/schemas";
import { writeHandoffFrom, writeModelSwitchFrom } from "../../lib/omni/blocks";
import { model } from "../../lib/omni/build";
import type { CompleteMessage, Visibility } from "../../lib/omni/message";
import type { AgentRef } from "../paths";
import { type Lookup, maySee } from "./access";

export interface Source {
  kind: "switched_from" | "handoff_from";
  from: { agent: string; session_id: string };
  /** A switch goes on in the same folder. */
  workspace?: string;
  visibility: Visibility;
  block: CompleteMessage;
}

/** null: it comes from nowhere. Throws `not_found` for a source this person cannot see, 409 while it works. */
export async function sourceOf(
  lookup: Lookup,
  agent: AgentRef,
  body: CreateSessionBody,
  person: string,
): Promise<Source | null> {
  const kind = body.switched_from ? "switched_from" : "handoff_from";
  const from = body.switched_from ?? body.handoff_from;
  if (!from) return null;
  const ref = { project: agent.project, agent: from.agent, session: from.session_id };
  const session = (await maySee(lookup, ref, person)) ? await lookup.open(ref) : null;
  if (!session) throw new AppError("not_found");
  if (session.status !== "idle") throw new AppError("task_in_progress");
  const { workspace, provider, model_id } = session.meta;
  const title = session.settings.title ?? undefined;
  const label = { id: from.session_id, ...(title ? { label: title } : {}) };
  const files = await lookup.host.store.files({ project: agent.project, agent: from.agent }, from.session_id);
  const last = files.at(-1);
  const trace = last && lookup.host.layout.traceFile(ref, last.date, ref.session, last.index);
  const text =
    kind === "switched_from"
      ? writeModelSwitchFrom({
          session: label,
          ...(trace ? { trace } : {}),
          ...(workspace ? { workspace } : {}),
          ...(model_id ? { previous_model: model_id } : {}),
          ...(provider ? { previous_provider: provider } : {}),
        })
      : writeHandoffFrom({ agent: { id: from.agent }, session: label, ...(workspace ? { workspace } : {}) });
  return {
    kind,
    from,
    ...(kind === "switched_from" && workspace ? { workspace } : {}),
    visibility: session.settings.visibility,
    block: model({ type: "text", role: "user", text, stop_reason: "completed", sender: "server" }),
  };
}
