/** What a person sends -> input records. Images go to the model if it sees them, else as paths; files as paths. */
import type { InputPart } from "../../lib/api/schemas";
import { readHandoffFrom, readModelSwitchFrom, writeAttachments } from "../../lib/omni/blocks";
import { model } from "../../lib/omni/build";
import type { CompleteMessage } from "../../lib/omni/message";
import { type ScratchpadPlace, storeParts } from "./attachments";

export interface InputContext {
  scratchpad: ScratchpadPlace;
  /** Does the model see images? */
  vision: boolean;
  author?: string;
  sender?: string;
  client_id: string;
}

/** The records of one message: its texts (with attachment lines behind the last), then its images (FF 5.6). */
export async function inputRecords(parts: readonly InputPart[], context: InputContext): Promise<CompleteMessage[]> {
  const texts: string[] = [];
  const images: string[] = [];
  const stored: Exclude<InputPart, { type: "text" }>[] = [];
  for (const part of parts) {
    if (part.type === "text") texts.push(part.text);
    else if (part.type === "image" && context.vision) images.push(part.data_url);
    else stored.push(part);
  }
  if (stored.length > 0) {
    const attachments = await storeParts(stored, context.scratchpad);
    const last = texts.at(-1) ?? "";
    // Such a block is the whole text or none at all.
    const whole = readHandoffFrom(last) !== null || readModelSwitchFrom(last) !== null;
    texts.push(writeAttachments(whole ? "" : (texts.pop() ?? ""), attachments));
  }
  const { author, sender, client_id } = context;
  const who = { ...(author ? { author } : {}), ...(sender ? { sender } : {}), client_id };
  const of = { role: "user" as const, stop_reason: "completed" as const, ...who };
  return [
    ...texts.map((text) => model({ type: "text" as const, text, ...of })),
    ...images.map((image_url) => model({ type: "image_url" as const, image_url, ...of })),
  ];
}

/** Steering for a model that does not see: its images as paths inside the block (FF 5.6). */
export async function foldedText(text: string, images: readonly string[], place: ScratchpadPlace): Promise<string> {
  const parts = images.map((data_url) => ({ type: "image" as const, data_url }));
  return writeAttachments(text, await storeParts(parts, place));
}
