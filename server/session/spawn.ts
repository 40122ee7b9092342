/** What a subagent's Session begins with: everything of the parent's that it shares. */
import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { AppError } from "../../lib/api/errors";
import type { SessionRef } from "../../lib/api/routes";
import type { SessionMetaPayload } from "../../lib/omni/message";
import { formatSessionId } from "../../lib/trace/name";
import { isGenericId } from "../paths";
import { TraceWriter } from "../trace/writer";
import { DEFAULT_SETTINGS, type SessionSettings } from "./info";
import { freshEngine, type Loaded, refOfAgent, type SessionHost } from "./open";
import type { ChildOrder } from "./subagents";

/** A person who asked for it can be told apart from the subagent: `created_by` is the parent's. Throws AppError. */
export async function childStart(
  host: SessionHost,
  parent: { ref: SessionRef; meta: SessionMetaPayload; settings: SessionSettings },
  order: ChildOrder,
  at: Date,
): Promise<{ ref: SessionRef; loaded: Loaded }> {
  const agent = { project: parent.ref.project, agent: order.agent };
  if (!isGenericId(order.agent)) throw new AppError("bad_request", `"${order.agent.slice(0, 80)}" is not an Agent id.`);
  if (order.agent !== parent.ref.agent && !(await stat(host.layout.agent(agent)).catch(() => null))) {
    throw new AppError("not_found", `There is no Agent "${order.agent}" in this Project.`);
  }
  const { workspace, created_by } = parent.meta;
  const { provider = "", model_id = "" } = order.model ?? parent.meta;
  if (!(await host.models.resolve(agent.project, provider, model_id))) throw new AppError("model_not_found");
  const session = formatSessionId(at, randomBytes(4).toString("hex"));
  const { approval_mode, visibility } = parent.settings;
  const meta: SessionMetaPayload = {
    session_id: session,
    provider,
    model_id,
    workspace,
    source: "subagent",
    ...(created_by ? { created_by } : {}),
    parent: { agent: parent.ref.agent, session_id: parent.ref.session, tool_call_id: order.tool_call_id },
  };
  const ref: SessionRef = { ...agent, session };
  const settings = { ...DEFAULT_SETTINGS, approval_mode, visibility, thinking_level: order.thinking_level };
  return { ref, loaded: freshLoaded(host, ref, meta, settings, at) };
}

/** A Session without a past. */
export function freshLoaded(
  host: SessionHost,
  ref: SessionRef,
  meta: SessionMetaPayload,
  settings: SessionSettings,
  at: Date,
): Loaded {
  return {
    meta,
    settings,
    records: [],
    writer: TraceWriter.create(host.layout, refOfAgent(ref), ref.session, at),
    engine: freshEngine(),
    head: [],
    rotateFirst: false,
    clientIds: [],
    callIds: [],
  };
}
