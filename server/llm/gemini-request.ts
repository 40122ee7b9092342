/** History -> contents and config of a Gemini request. */
import type { Content, GenerateContentConfig, Part } from "@google/genai";
import type { CompletePayload } from "../../lib/omni/message";
import type { LlmRequest } from "../engine/ports";
import { wireId } from "./call-ids";
import { asObject, parseJson } from "./json";
import { type AssistantTurn, type CallAnswer, dataUrl, turnsOf, type UserPart, type UserTurn } from "./turns";
import type { Verbatim } from "./verbatim";

/**
 * What the vendor documents for histories whose signatures are lost: within the turn that is going on, the first call
 * of each step must carry one.
 */
const NO_SIGNATURE = "skip_thought_signature_validator";

export interface GeminiOptions {
  vision: boolean;
  caps: (number | undefined)[];
  /** Does this model demand signatures on calls? */
  signed: boolean;
}

export function geminiContents(request: LlmRequest, options: GeminiOptions, verbatim: Verbatim): Content[] {
  const turns = turnsOf(request.history, options.vision);
  const contents = turns.map(
    (turn): Content => ({
      role: turn.role === "user" ? "user" : "model",
      parts: turn.role === "user" ? userParts(turn) : modelParts(turn, verbatim),
    }),
  );
  if (options.signed) signCurrentTurn(contents);
  return contents;
}

export function geminiConfig(request: LlmRequest, caps: (number | undefined)[]): GenerateContentConfig {
  const bounds = [request.max_tokens, ...caps].filter((n): n is number => n !== undefined && n > 0);
  const functionDeclarations = request.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters ?? { type: "object", properties: {} },
  }));
  return {
    ...(request.system_prompt.trim() === "" ? {} : { systemInstruction: { parts: [{ text: request.system_prompt }] } }),
    ...(functionDeclarations.length > 0 ? { tools: [{ functionDeclarations }] } : {}),
    ...(request.max_tokens !== undefined && bounds.length > 0 ? { maxOutputTokens: Math.min(...bounds) } : {}),
  };
}

function userParts({ answers, parts }: UserTurn): Part[] {
  return [...answers.map(response), ...answers.flatMap(imagesOf), ...parts.map(userPart)];
}

/** Calls have ids only where the vendor gave them; else name and order tell (FF 2.3: the name stands as the id). */
function givenId(id: string, name: string): { id?: string } {
  return id === "" || wireId(id) === name || /^call_\d+$/.test(id) ? {} : { id };
}

function response({ id, name, output, failed }: CallAnswer): Part {
  return { functionResponse: { ...givenId(id, name), name, response: failed ? { error: output } : { output } } };
}

function imagesOf({ name, images }: CallAnswer): Part[] {
  if (images.length === 0) return [];
  return [{ text: `Images from ${name}:` }, ...images.map(image)];
}

function userPart(part: UserPart): Part {
  return part.kind === "text" ? { text: part.text } : image(part.url);
}

function image(url: string): Part {
  const inline = dataUrl(url);
  return inline ? { inlineData: { mimeType: inline.mime, data: inline.data } } : { fileData: { fileUri: url } };
}

/** What the model thought is not sent back in words; its signatures are, on the very part that carried them. */
function modelParts({ payloads, ids }: AssistantTurn, verbatim: Verbatim): Part[] {
  return payloads.flatMap((payload): Part[] => {
    if (payload.type === "text") {
      const signature = sealed(payload, "signature", verbatim);
      return payload.text.trim() === "" && !signature ? [] : [{ text: payload.text, ...signature }];
    }
    if (payload.type !== "tool_call") return [];
    // EN6: what is sent is legal, the Trace keeps the original.
    const args = asObject(parseJson(payload.arguments)?.value) ?? {};
    const name = payload.name || "unnamed";
    const call = { ...givenId(ids.get(payload) ?? "", name), name, args };
    return [{ functionCall: call, ...sealed(payload, "thought_signature", verbatim) }];
  });
}

function sealed(payload: CompletePayload, member: string, verbatim: Verbatim): { thoughtSignature?: string } | null {
  if (!("fidelity" in payload)) return null;
  const thoughtSignature = verbatim.text(asObject(payload.fidelity), member);
  return thoughtSignature === undefined ? null : { thoughtSignature };
}

/** The turn that is going on began with the last thing that the user said. */
function signCurrentTurn(contents: Content[]): void {
  const begin = contents.findLastIndex(
    ({ role, parts = [] }) => role === "user" && parts.some((p) => !p.functionResponse),
  );
  for (const { parts = [] } of contents.slice(Math.max(begin, 0))) {
    const first = parts.find((part) => part.functionCall);
    if (first) first.thoughtSignature ??= NO_SIGNATURE;
  }
}
