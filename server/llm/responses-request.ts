/** History -> body of a Responses request: stateless, so that every Request carries the whole conversation. */
import type { CompletePayload, ToolSchema } from "../../lib/omni/message";
import type { LlmRequest } from "../engine/ports";
import { isArgumentObject, type JsonObject } from "./json";
import { type AssistantTurn, type CallAnswer, turnsOf, type UserPart, type UserTurn } from "./turns";
import type { Verbatim } from "./verbatim";

/** The protocol refuses smaller ones. Tokens. */
const MIN_OUTPUT = 16;
/** `reasoning_field` of thinking that came as the content of its item, not as a summary of it. */
export const CONTENT_FIELD = "content";

export interface ResponsesOptions {
  vision: boolean;
  caps: (number | undefined)[];
  /** Does it take `include`? */
  include: boolean;
}

/** Without `reasoning`. null: nothing to send. */
export function responsesBody(
  model: string,
  request: LlmRequest,
  options: ResponsesOptions,
  verbatim: Verbatim,
): JsonObject | null {
  const turns = turnsOf(request.history, options.vision);
  if (turns.length === 0) return null;
  const bounds = [request.max_tokens, ...options.caps].filter((n): n is number => n !== undefined && n > 0);
  const limit = request.max_tokens === undefined && options.caps.every((n) => !n) ? undefined : Math.min(...bounds);
  return {
    model,
    ...(request.system_prompt.trim() === "" ? {} : { instructions: request.system_prompt }),
    input: turns.flatMap((turn) => (turn.role === "user" ? userItems(turn) : assistantItems(turn, verbatim))),
    ...(request.tools.length > 0 ? { tools: request.tools.map(tool) } : {}),
    // Nothing is kept at the vendor: what the model thought comes along, encrypted.
    store: false,
    ...(options.include ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(limit === undefined || bounds.length === 0 ? {} : { max_output_tokens: Math.max(limit, MIN_OUTPUT) }),
    stream: true,
  };
}

function tool({ name, description, parameters }: ToolSchema): JsonObject {
  const schema = parameters ?? { type: "object", properties: {} };
  return { type: "function", name, description, parameters: schema, strict: false };
}

function userItems({ answers, parts }: UserTurn): JsonObject[] {
  const items: JsonObject[] = answers.map(outputItem);
  if (parts.length > 0) items.push({ type: "message", role: "user", content: parts.map(userPart) });
  return items;
}

function outputItem({ id, output, images }: CallAnswer): JsonObject {
  const parts = [userPart({ kind: "text", text: output }), ...images.map((url) => userPart({ kind: "image", url }))];
  return { type: "function_call_output", call_id: id, output: images.length > 0 ? parts : output };
}

function userPart(part: UserPart): JsonObject {
  return part.kind === "text"
    ? { type: "input_text", text: part.text }
    : { type: "input_image", image_url: part.url, detail: "auto" };
}

/** Messages and calls go without ids: those name items that the vendor has not kept. Reasoning needs its own. */
function assistantItems({ payloads, ids }: AssistantTurn, verbatim: Verbatim): JsonObject[] {
  return payloads.flatMap((payload): JsonObject[] => {
    if (payload.type === "text") {
      if (payload.text.trim() === "") return [];
      const phase = verbatim.text(payload.fidelity, "phase");
      const content = [{ type: "output_text", text: payload.text }];
      return [{ type: "message", role: "assistant", content, ...(phase ? { phase } : {}) }];
    }
    if (payload.type === "thinking") return reasoning(payload, verbatim);
    if (payload.type !== "tool_call") return [];
    // EN6: what is sent is legal, the Trace keeps the original.
    const args = isArgumentObject(payload.arguments) ? payload.arguments : "{}";
    const name = payload.name || "unnamed";
    return [{ type: "function_call", call_id: ids.get(payload) ?? "", name, arguments: args }];
  });
}

/** Only what the vendor can read again without having kept it: encrypted, or in plain words. */
function reasoning(payload: CompletePayload & { type: "thinking" }, verbatim: Verbatim): JsonObject[] {
  const { fidelity, thinking } = payload;
  const plain = fidelity?.reasoning_field === CONTENT_FIELD && thinking !== "";
  const id = verbatim.text(fidelity, "id");
  const encrypted_content = verbatim.text(fidelity, "encrypted_content");
  if (id === undefined || (encrypted_content === undefined && !plain)) return [];
  return [
    {
      type: "reasoning",
      id,
      summary: plain || thinking === "" ? [] : [{ type: "summary_text", text: thinking }],
      ...(plain ? { content: [{ type: "reasoning_text", text: thinking }] } : {}),
      ...(encrypted_content === undefined ? {} : { encrypted_content }),
    },
  ];
}
