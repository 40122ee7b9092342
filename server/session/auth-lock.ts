/**
 * EN11: a Session whose credential was refused stays so in the next process, until the model has another one. Which
 * key it was is written nowhere; one that is older than the refusal is the same.
 */
import type { StateFrame } from "../../lib/api/frames";
import type { SessionRef } from "../../lib/api/routes";
import { isEventOf, isOwn } from "../../lib/omni/guards";
import type { AddressedMessage } from "../../lib/omni/message";
import type { ResolvedModel } from "../project/models";
import type { Loaded, SessionHost } from "./open";

export interface AuthLock {
  error: NonNullable<StateFrame["error"]>;
  /** As it resolves now: another one opens the lock. */
  model: ResolvedModel;
}

/** Nothing of this is said or asked by anybody. */
const BESIDE = new Set<unknown>(["abort", "compaction_end", "session_info", "aux_usage", "goal_finished", "subagent"]);

/** null: its last Request did not end so, or something was said or changed since. Never rejects. */
export async function authLock(host: SessionHost, ref: SessionRef, loaded: Loaded): Promise<AuthLock | null> {
  const refusal = lastRefusal(loaded.records);
  const { provider = "", model_id = "" } = loaded.meta;
  if (!refusal) return null;
  const model = await host.models.resolve(ref.project, provider, model_id).catch(() => null);
  // A variable of the environment may have another value now.
  const same = model && (model.api_key === undefined || (model.key_since ?? refusal.at) < refusal.at);
  return same ? { error: { code: "auth", message: refusal.message }, model } : null;
}

function lastRefusal(records: readonly AddressedMessage[]): { message: string; at: string } | null {
  const last = records.findLast(({ message }) => isOwn(message) && !BESIDE.has(message.payload.type))?.message;
  if (!last || !isEventOf(last, "request_end") || last.payload.status !== "auth") return null;
  const { error_message } = last.payload;
  return { message: typeof error_message === "string" ? error_message : "auth", at: last.timestamp };
}
