/**
 * What a Request that was not committed leaves to the next one. The living process and a resumed one call the same
 * functions, so that both send the same (RS7).
 *
 *   stopped, or no credential    outputs kept, the rest told in one [turn_aborted] block      `abortedInput`
 *   failed, to be tried again    the input as it was, then one [turn_retried] block           `retriedInput`
 *   refused by the provider      outputs and the context's summary only                       `refusedInput`
 *
 * Turn blocks live in memory only; they are made anew from the records after a restart.
 */
import { readWhole, writeBlock } from "./block-form";
import { downgradeGoal, readContextSummary } from "./blocks";
import type { CompletePayload, TextPayload, ToolCallOutputPayload } from "./message";

/** Why a call has no output of its own: a person (or the Task's end) stopped it, or the process died. */
export type Interruption = "aborted" | "exited";

/** Stands in for the output that a call never got: every committed call has exactly one output (EN3). */
export function interruptedOutput(callId: string, why: Interruption): ToolCallOutputPayload {
  const cause = why === "aborted" ? "tool aborted by user" : "process exited before the tool finished";
  return {
    type: "tool_call_output",
    role: "user",
    output: `[interrupted: ${cause}]`,
    tool_call_id: callId,
    stop_reason: "aborted",
  };
}

/**
 * The input of a Request that was stopped, together with what it had produced. Outputs stay structured, because the
 * history holds their calls; the context's summary and images stay what they are; everything else becomes text.
 */
export function abortedInput(input: CompletePayload[], produced: CompletePayload[]): CompletePayload[] {
  const outputs = input.filter((payload) => payload.type === "tool_call_output");
  const summary = input.filter(isSummary);
  const images = input.filter((payload) => payload.type === "image_url" || payload.type === "inline_data");
  const told = input.filter((payload) => !isSummary(payload)).flatMap(inputLines);
  return [...outputs, ...summary, ...turnBlock("turn_aborted", [...told, ...producedLines(produced)]), ...images];
}

/** The input of the next attempt. `produced` is what all attempts before it left behind, oldest first. */
export function retriedInput(input: CompletePayload[], produced: CompletePayload[]): CompletePayload[] {
  return [...input, ...turnBlock("turn_retried", producedLines(produced))];
}

/**
 * EN4: a prompt that the provider refused would be refused again, so it goes; what the history needs stays.
 * `dropped` is what /retry sends again.
 */
export function refusedInput(input: CompletePayload[]): { kept: CompletePayload[]; dropped: CompletePayload[] } {
  const kept: CompletePayload[] = [];
  const dropped: CompletePayload[] = [];
  for (const payload of input) (isNeeded(payload) ? kept : dropped).push(payload);
  return { kept, dropped };
}

function isNeeded(payload: CompletePayload): boolean {
  return payload.type === "tool_call_output" || isSummary(payload);
}
function isSummary(payload: CompletePayload): boolean {
  return payload.type === "text" && readContextSummary(payload.text) !== null;
}

/** An input that outlived its Task: a goal round in it must not be acted on any more. */
export function heldOver(input: CompletePayload[]): CompletePayload[] {
  return input.map((payload) => {
    if (payload.type !== "text" || payload.role !== "user") return payload;
    const text = downgradeGoal(payload.text);
    return text === payload.text ? payload : { ...payload, text };
  });
}

/** Outputs first and in the order of their calls (RS2), then the rest as it was. */
export function outputsInCallOrder(callIds: Iterable<string>, input: CompletePayload[]): CompletePayload[] {
  const outputs = new Map<string, ToolCallOutputPayload>();
  const rest: CompletePayload[] = [];
  for (const payload of input) {
    if (payload.type !== "tool_call_output") rest.push(payload);
    else if (!outputs.has(payload.tool_call_id)) outputs.set(payload.tool_call_id, payload);
  }
  const ordered = [...callIds].flatMap((id) => outputs.get(id) ?? []);
  return [...ordered, ...rest];
}

// ---- the lines of a turn block ------------------------------------------------------------------------------------

function turnBlock(tag: "turn_aborted" | "turn_retried", lines: string[]): TextPayload[] {
  if (lines.length === 0) return [];
  return [{ type: "text", role: "user", text: writeBlock(tag, lines.join("\n")), stop_reason: "completed" }];
}

/** Blocks stay one level deep: a block of an earlier round gives its lines. */
function inputLines(payload: CompletePayload): string[] {
  if (payload.type !== "text") return [];
  const earlier = readWhole("turn_aborted", payload.text) ?? readWhole("turn_retried", payload.text);
  return [earlier ?? `  [user_input]${downgradeGoal(payload.text)}[/user_input]`];
}

/** The model's messages in their order, then the outputs in the order of their calls. */
function producedLines(produced: CompletePayload[]): string[] {
  const spoken = produced.filter((payload) => payload.type !== "tool_call_output");
  const calls = spoken.flatMap((payload) => (payload.type === "tool_call" ? [payload.tool_call_id] : []));
  const outputs = produced.filter((payload) => payload.type === "tool_call_output");
  return [...spoken, ...outputsInCallOrder(calls, outputs)].flatMap(producedLine);
}

function producedLine(payload: CompletePayload): string[] {
  switch (payload.type) {
    case "thinking":
      return payload.thinking === "" ? [] : [`  [thinking]${payload.thinking}[/thinking]`];
    case "text":
      return payload.text === "" ? [] : [`  [text]${payload.text}[/text]`];
    case "tool_call":
      return [`  [tool_call name="${payload.name}" id="${payload.tool_call_id}"]${payload.arguments}[/tool_call]`];
    case "tool_call_output": {
      const status = payload.stop_reason ?? "completed";
      return [
        `  [tool_call_output id="${payload.tool_call_id}" status="${status}"]${payload.output}[/tool_call_output]`,
      ];
    }
    default:
      return [];
  }
}
