/** Where a new Session comes from (/model, /agent): access, Workspace, and the block that tells the model. */
import { stat } from "node:fs/promises";
import { AppError } from "../../lib/api/errors";
import type { CreateSessionBody } from "../../lib/api/schemas";
import { writeHandoffFrom, writeModelSwitchFrom } from "../../lib/omni/blocks";
import { model } from "../../lib/omni/build";
import type { ApprovalMode, CompleteMessage, Visibility } from "../../lib/omni/message";
import type { AgentRef } from "../paths";
import { type Lookup, maySee } from "./access";
import type { Session } from "./session";

export interface Source {
  kind: "switched_from" | "handoff_from";
  from: { agent: string; session_id: string };
  /** A switch goes on in the same folder; absent: the source has none that still exists. */
  workspace?: string;
  approval_mode: ApprovalMode;
  visibility: Visibility;
  block: CompleteMessage;
}

/**
 * null: it comes from nowhere. Throws `not_found` for a source this person cannot see, 409 while it works (its Trace is
 * still being written), `bad_request` for a switch to another Agent. Reads only: nothing of the source is changed.
 */
export async function sourceOf(
  lookup: Lookup,
  agent: AgentRef,
  body: CreateSessionBody,
  person: string,
): Promise<Source | null> {
  const kind = body.switched_from ? "switched_from" : "handoff_from";
  const from = body.switched_from ?? body.handoff_from;
  if (!from) return null;
  if (body.switched_from && body.handoff_from) throw new AppError("bad_request", "A Session has one source.");
  if (kind === "switched_from" && from.agent !== agent.agent) {
    throw new AppError("bad_request", "A switch stays with its Agent; another Agent takes over by handoff_from.");
  }
  const ref = { project: agent.project, agent: from.agent, session: from.session_id };
  const session = (await maySee(lookup, ref, person)) ? await lookup.open(ref) : null;
  if (!session) throw new AppError("not_found");
  if (session.status === "compacting") throw new AppError("compacting");
  if (session.status !== "idle") throw new AppError("task_in_progress");
  const { approval_mode, visibility } = session.settings;
  const text = kind === "switched_from" ? await switchBlock(lookup, session) : await handoffBlock(lookup, session);
  const kept = kind === "switched_from" ? await existing(session.meta.workspace) : undefined;
  return {
    kind,
    from,
    ...(kept ? { workspace: kept } : {}),
    approval_mode,
    visibility,
    block: model({ type: "text", role: "user", text, stop_reason: "completed", sender: "server" }),
  };
}

const labelOf = ({ ref, settings: { title } }: Session) => ({
  id: ref.session,
  // A label is one line of the block.
  ...(title ? { label: title.replace(/\s+/g, " ") } : {}),
});

/** FF 8: the source, the absolute path of its newest Trace file, its Workspace, the pair it ran with. */
async function switchBlock(lookup: Lookup, session: Session): Promise<string> {
  const { ref, meta } = session;
  const files = await lookup.host.store.files({ project: ref.project, agent: ref.agent }, ref.session);
  const last = files.at(-1);
  return writeModelSwitchFrom({
    session: labelOf(session),
    ...(last ? { trace: lookup.host.layout.traceFile(ref, last.date, ref.session, last.index) } : {}),
    ...(meta.workspace ? { workspace: meta.workspace } : {}),
    ...(meta.model_id ? { previous_model: meta.model_id } : {}),
    ...(meta.provider ? { previous_provider: meta.provider } : {}),
  });
}

/** FF 8: no Trace path; the other Agent starts from what the person tells it. */
async function handoffBlock(lookup: Lookup, session: Session): Promise<string> {
  const { ref, meta } = session;
  const view = await lookup.host.agents.view?.({ project: ref.project, agent: ref.agent }).catch(() => null);
  const name = view && view.name !== ref.agent ? { label: view.name.replace(/\s+/g, " ") } : {};
  return writeHandoffFrom({
    agent: { id: ref.agent, ...name },
    session: labelOf(session),
    ...(meta.workspace ? { workspace: meta.workspace } : {}),
  });
}

async function existing(folder: string | undefined): Promise<string | undefined> {
  const info = folder ? await stat(folder).catch(() => null) : null;
  return info?.isDirectory() ? folder : undefined;
}
