/** What a person can do to a Session, as calls of the HTTP API. Failures are values. */
import { type Result, send } from "@/lib/api/client";
import type { RunState } from "@/lib/api/frames";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { CreateTaskBody, InputPart, PatchSessionBody } from "@/lib/api/schemas";
import type { OmniMessage, RecordAddress } from "@/lib/omni/message";
import { fromPart } from "./attachments";
import type { Outgoing, Recalled, SendResult } from "./use-outgoing";

export async function sendMessage(
  ref: SessionRef,
  { parts, text, images, client_id, mode, staged }: Outgoing,
  confirm_import = false,
): Promise<SendResult> {
  const first = mode === "steer" ? await send("POST", routes.steer(ref), { text, images, client_id }) : null;
  if (first?.ok) return { ok: true };
  // The Task ended while it was typed: the message becomes the next one.
  if (first && first.error.code !== "not_running" && first.error.code !== "compacting") {
    return { ok: false, message: first.error.message, code: first.error.code };
  }
  const queue = mode !== "send";
  const { goal } = staged;
  const extra = { ...(queue && { queue }), ...(goal && { goal }), ...(confirm_import && { confirm_import }) };
  const body: CreateTaskBody = { input: parts, client_id, ...extra };
  const task = await send("POST", routes.tasks(ref), body);
  return task.ok ? { ok: true } : { ok: false, message: task.error.message, code: task.error.code };
}

export function decideApproval(ref: SessionRef, id: string, decision: "allow" | "deny"): Promise<Result<unknown>> {
  return send("POST", routes.approval(ref, id), { decision });
}

/** Takes a waiting message back, with its pictures and files. */
export async function recallMessage(ref: SessionRef, id: string): Promise<Recalled> {
  const result = await send<{ text?: string; input?: InputPart[] }>("DELETE", routes.queued(ref, id));
  if (!result.ok) return { ok: false, message: result.error.message };
  const { text = "", input = [] } = result.data;
  return { ok: true, text, files: input.flatMap(fromPart) };
}

export function stopTask(ref: SessionRef): Promise<Result<unknown>> {
  return send("POST", routes.abort(ref));
}
/** Answers what went wrong; null when it goes on: somebody's click may have come before this one. */
export async function retryNow(store: {
  ref: SessionRef;
  getSnapshot(): { run: { state: RunState } };
}): Promise<string | null> {
  const result = await send("POST", routes.retry(store.ref));
  if (result.ok) return null;
  const { code, message } = result.error;
  return code === "nothing_to_retry" && store.getSnapshot().run.state !== "idle" ? null : message;
}
/** Ends a command that runs in the background. */
export function stopProcess(ref: SessionRef, id: string): Promise<Result<unknown>> {
  return send("POST", routes.processStop(ref, id));
}
export function compactSession(ref: SessionRef): Promise<Result<unknown>> {
  return send("POST", routes.compact(ref));
}
/** A new Session that goes on from this point; answers its id. */
export function forkSession(ref: SessionRef, at: RecordAddress): Promise<Result<{ session: { id: string } }>> {
  return send("POST", routes.fork(ref), at);
}
export function patchSession(ref: SessionRef, body: PatchSessionBody): Promise<Result<unknown>> {
  return send("PATCH", routes.session(ref), body);
}

/** One whole record: what was shortened in a frame is complete here. */
export async function fetchRecord(ref: SessionRef, { file_index, line }: RecordAddress): Promise<OmniMessage | null> {
  const url = routes.traceRecord({ ...ref, index: file_index }, line);
  const result = await send<{ message?: OmniMessage }>("GET", url);
  return result.ok ? (result.data.message ?? null) : null;
}
