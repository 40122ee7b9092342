/** What a model may be sent: messages grouped by role, and the rules every provider demands of them (RS2, RS5). */
import type { CompletePayload, ToolCallPayload } from "./message";

export interface RoleGroup {
  role: "user" | "assistant";
  payloads: CompletePayload[];
}

/** Adjacent payloads of one role are one message to the provider. */
export function groupByRole(payloads: CompletePayload[]): RoleGroup[] {
  const groups: RoleGroup[] = [];
  for (const payload of payloads) {
    const last = groups.at(-1);
    if (last?.role === payload.role) last.payloads.push(payload);
    else groups.push({ role: payload.role, payloads: [payload] });
  }
  return groups;
}

/** Was the call complete, so that it runs and needs an output? Files may leave `stop_reason` out. */
export function isCommittableCall(payload: CompletePayload): payload is ToolCallPayload {
  return payload.type === "tool_call" && (payload.stop_reason ?? "completed") === "completed";
}

/**
 * Why this conversation could not be sent as a Request; [] when it could. It starts and ends with the user, and each
 * assistant message is followed by exactly one output per call, in call order and ahead of everything else.
 */
export function requestProblems(payloads: CompletePayload[]): string[] {
  const groups = groupByRole(payloads);
  const problems: string[] = [];
  if (groups[0]?.role !== "user") problems.push("does not start with the user");
  if (groups.at(-1)?.role !== "user") problems.push("does not end with the user");
  let owed: string[] = [];
  groups.forEach((group, index) => {
    if (group.role === "assistant") {
      owed = group.payloads.flatMap((payload) => (payload.type === "tool_call" ? [payload.tool_call_id] : []));
      if (new Set(owed).size < owed.length) problems.push(`message ${index}: one call id twice`);
      if (!group.payloads.every((payload) => payload.type !== "tool_call" || isCommittableCall(payload)))
        problems.push(`message ${index}: a call that is not complete`);
      return;
    }
    const outputs = group.payloads.flatMap((payload) =>
      payload.type === "tool_call_output" ? [payload.tool_call_id] : [],
    );
    if (outputs.join("\n") !== owed.join("\n"))
      problems.push(`message ${index}: outputs [${outputs}] for calls [${owed}]`);
    if (group.payloads.slice(0, outputs.length).some((payload) => payload.type !== "tool_call_output"))
      problems.push(`message ${index}: an output behind other content`);
    owed = [];
  });
  return problems;
}
