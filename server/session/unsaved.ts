/** A Session that exists in memory only: its head is written together with its first Task. */
import type { SessionRef } from "../../lib/api/routes";
import type { CompleteMessage, SessionMetaPayload } from "../../lib/omni/message";
import { hostOf } from "../llm/endpoint";
import { refOfAgent, type SessionHost } from "./open";
import type { Gathered } from "./runner";

export interface Unsaved {
  created_at: string;
  /** Machine texts that go ahead of the first prompt (where the conversation came from). */
  lead: CompleteMessage[];
  /** The head was handed to the recorder. */
  prepared: boolean;
}

/** The complete session_meta: the prompt and tools of this moment. */
export async function freshHead(
  host: SessionHost,
  ref: SessionRef,
  meta: SessionMetaPayload,
  { config, model, tools }: Gathered,
): Promise<SessionMetaPayload> {
  const agent = refOfAgent(ref);
  const system_prompt = await host.agents.systemPrompt(agent, config, {
    workspace: meta.workspace ?? "",
    provider: model.provider,
    model_id: model.model_id,
    session_id: ref.session,
    shell: host.shell ?? "bash",
    at: new Date(),
  });
  const { session_id, provider, model_id, workspace, ...rest } = meta;
  const host_of = hostOf(model.base_url);
  return {
    session_id,
    provider,
    model_id,
    model_context_window: model.context_window ?? "unknown",
    system_prompt,
    tools: tools.schemas(),
    agent_state: host.layout.agentState(agent),
    workspace,
    ...rest,
    ...(host_of ? { endpoint: host_of } : {}),
  };
}
