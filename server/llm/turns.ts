/**
 * History -> turns that every vendor accepts, before a protocol spells them: user and assistant alternate, the user
 * begins and ends, calls are followed by their outputs in call order, nothing empty is sent. The chat protocol has
 * its own looser form (`chat-request.ts`).
 */
import { groupByRole } from "../../lib/omni/history";
import type { CompletePayload, ToolCallPayload } from "../../lib/omni/message";
import { wireCalls, wireId } from "./call-ids";

export const NO_OUTPUT = "[no output]";
export const LOST_OUTPUT = "[the output of this call was not recorded]";
export const NO_IMAGE = "[an image was left out: this model takes text only]";
/** Stands where a user's turn is missing: the first one, or the last. */
const GO_ON = "[the conversation goes on]";

export type UserPart = { kind: "text"; text: string } | { kind: "image"; url: string };
export interface CallAnswer {
  /** As the vendor knows the call. */
  id: string;
  name: string;
  /** Never empty. */
  output: string;
  images: string[];
  failed: boolean;
}
export interface UserTurn {
  role: "user";
  answers: CallAnswer[];
  parts: UserPart[];
}
export interface AssistantTurn {
  role: "assistant";
  /** In the order in which the model said it; ends with something that is not thinking. */
  payloads: CompletePayload[];
  /** The vendor's ids. */
  ids: Map<CompletePayload, string>;
}
export type Turn = UserTurn | AssistantTurn;

/** `vision: false`: images become a line of text. `tidy` makes an id that the protocol accepts. */
export function turnsOf(
  history: readonly CompletePayload[],
  vision: boolean,
  tidy: (id: string) => string = (id) => id,
): Turn[] {
  const turns: Turn[] = [];
  const taken = new Set<string>();
  let open: { call: ToolCallPayload; wire: string }[] = [];
  for (const { role, payloads } of groupByRole(history.filter(saysSomething))) {
    if (role === "user") {
      take(turns, open, payloads, vision);
      open = [];
      continue;
    }
    const said = untilThinking(payloads);
    if (said.length === 0) continue;
    if (turns.at(-1)?.role !== "user") take(turns, open, [], vision);
    open = wireCalls(
      said.filter((p) => p.type === "tool_call"),
      taken,
    ).map(({ call, wire }) => ({ call, wire: tidy(wire) }));
    turns.push({ role, payloads: said, ids: new Map(open.map(({ call, wire }) => [call, wire])) });
  }
  if (turns.at(-1)?.role === "assistant") take(turns, open, [], vision);
  return turns;
}

/** A blank text is no turn, and no part of one. */
function saysSomething(payload: CompletePayload): boolean {
  if (payload.type !== "text") return true;
  return payload.text.trim() !== "" || (payload.role === "assistant" && payload.fidelity !== undefined);
}

/** Thinking at the end leads to nothing, and vendors refuse it there. */
function untilThinking(payloads: CompletePayload[]): CompletePayload[] {
  const last = payloads.findLastIndex((p) => p.type === "tool_call" || (p.type === "text" && p.text.trim() !== ""));
  const kept = payloads.slice(0, last + 1);
  // A text that carries nothing but a signature belongs to what stands before it.
  return last < 0 ? [] : [...kept, ...payloads.slice(last + 1).filter((p) => p.type === "text" && p.fidelity)];
}

function take(
  turns: Turn[],
  open: { call: ToolCallPayload; wire: string }[],
  side: CompletePayload[],
  vision: boolean,
): void {
  const answers = open.map(({ call, wire }) => answerOf(call, wire, side));
  const parts = partsOf(side, new Set(open.map(({ call }) => call.tool_call_id)), vision);
  if (answers.length === 0 && parts.length === 0) parts.push({ kind: "text", text: GO_ON });
  const last = turns.at(-1);
  if (last?.role === "user") last.parts.push(...parts);
  else turns.push({ role: "user", answers: vision ? answers : answers.map(blind), parts });
}

function answerOf(call: ToolCallPayload, id: string, side: CompletePayload[]): CallAnswer {
  const found = side.find((p) => p.type === "tool_call_output" && p.tool_call_id === call.tool_call_id);
  const name = call.name || "unnamed";
  if (found?.type !== "tool_call_output") return { id, name, output: LOST_OUTPUT, images: [], failed: true };
  const failed = (found.stop_reason ?? "completed") !== "completed";
  return {
    id,
    name,
    output: found.output.trim() === "" ? NO_OUTPUT : found.output,
    images: found.images ?? [],
    failed,
  };
}

function blind(answer: CallAnswer): CallAnswer {
  const lines = answer.images.map(() => NO_IMAGE);
  return { ...answer, output: [answer.output, ...lines].join("\n"), images: [] };
}

function partsOf(side: CompletePayload[], answered: ReadonlySet<string>, vision: boolean): UserPart[] {
  const text = (value: string): UserPart => ({ kind: "text", text: value });
  const image = (url: string): UserPart => (vision ? { kind: "image", url } : text(NO_IMAGE));
  return side.flatMap((p): UserPart[] => {
    if (p.type === "text") return [text(p.text)];
    if (p.type === "image_url") return [image(p.image_url)];
    if (p.type === "inline_data") {
      if (p.mime_type.startsWith("image/")) return [image(`data:${p.mime_type};base64,${p.data}`)];
      return [text(`[an attachment of type ${p.mime_type} was left out]`)];
    }
    if (p.type !== "tool_call_output" || answered.has(p.tool_call_id)) return [];
    return [text(`[output of an earlier tool call ${wireId(p.tool_call_id)}]\n${p.output}`)];
  });
}

/** A data URL in its parts; null: an address, or nothing known. */
export function dataUrl(url: string): { mime: string; data: string } | null {
  const found = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.-]+)*;base64,/.exec(url);
  return found ? { mime: found[1] ?? "", data: url.slice(found[0].length) } : null;
}
