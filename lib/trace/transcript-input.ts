/** What a person, or a machine on their behalf, put into a Session: prompts, markers, attachments and steering. */
import { type Attachment, readAttachments } from "../omni/blocks";
import type { CompletePayload } from "../omni/message";
import { long, newBlock, type Stamp, touched, withItem } from "./transcript-fold";
import type { Item, Long, PromptItem, SteeringItem, TaskBlock } from "./transcript-items";
import { readMarker } from "./transcript-markers";

/** The block an input goes to, and whether that block is a new one. */
export interface InputResult {
  block: TaskBlock;
  opens: boolean;
}

const IN_SCRATCHPAD = /[\\/]scratchpad[\\/][^\\/]+[\\/][^\\/]+$/;

/** Only paths of a scratchpad and, for images, web addresses: nobody can write a false attachment elsewhere. */
function honoured({ kind, path }: Attachment): boolean {
  return IN_SCRATCHPAD.test(path) || (kind === "image" && /^https?:\/\//.test(path));
}

function splitAttachments(text: string): { text: string; images: string[]; files: string[] } {
  const { text: rest, attachments } = readAttachments(text, honoured);
  const shown = ({ kind, path }: Attachment) => kind === "image" && !IN_SCRATCHPAD.test(path);
  const paths = (of: Attachment[]) => of.map(({ path }) => path);
  return {
    text: rest,
    images: paths(attachments.filter(shown)),
    files: paths(attachments.filter((attachment) => !shown(attachment))),
  };
}

/** The summary inside a `[context_summary]` input; null for any other input. */
export function summaryText(payload: CompletePayload): Long | null {
  if (payload.type !== "text") return null;
  const text = long(payload.text);
  if (typeof text !== "string") return /^\s*[[<]context_summary[\]>]/.test(text.head) ? text : null;
  const marker = readMarker(text);
  return marker?.kind === "summary" ? marker.body : null;
}

function imageOf(payload: CompletePayload): Long | null {
  if (payload.type === "image_url") return long(payload.image_url);
  if (payload.type !== "inline_data") return null;
  const data = long(payload.data);
  return typeof data === "string" ? `data:${payload.mime_type};base64,${data}` : data;
}

function given(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A user-role text or image that is neither a summary nor part of a compaction. */
export function inputMessage(current: TaskBlock | undefined, payload: CompletePayload, stamp: Stamp): InputResult {
  const image = imageOf(payload);
  const last = current?.items.at(-1);
  // Pictures that follow a steering text belong to it.
  if (current && image !== null && last?.kind === "steering") {
    return {
      block: { ...current, items: current.items.with(-1, { ...last, images: [...last.images, image] }) },
      opens: false,
    };
  }
  const text = payload.type === "text" ? long(payload.text) : "";
  const marker = typeof text === "string" ? readMarker(text) : null;
  const author = given(payload.author);
  if (marker?.kind === "steering") {
    const { text: body, images } = splitAttachments(marker.body);
    const item: SteeringItem = { kind: "steering", text: body, images, author, ...stamp };
    return { block: { ...withItem(current ?? newBlock("task", stamp), item), ended: false }, opens: false };
  }
  // The end of something in the background, told to a Task that goes on.
  const told = marker?.kind === "banner" && marker.banner.type === "background" ? marker.banner : null;
  if (told && current?.kind === "task" && !current.ended && current.fold.requests_begun > 0) {
    return { block: withItem(current, { kind: "banner", banner: told, ...stamp }), opens: false };
  }
  const client_id = given(payload.client_id);
  const joins =
    current?.kind === "task" &&
    current.fold.requests_begun === 0 &&
    !current.ended &&
    current.items.length > 0 &&
    current.fold.client_id === client_id;
  const block = joins ? current : newBlock("task", stamp);
  const items = [...block.items];
  if (marker?.kind === "banner") items.push({ kind: "banner", banner: marker.banner, ...stamp });
  addPrompt(items, { payload, text: marker?.kind === "banner" ? marker.rest : text, image, stamp });
  return { block: { ...touched(block, stamp.at), items, fold: { ...block.fold, client_id } }, opens: !joins };
}

/** Parts of one send stand in one bubble. */
function addPrompt(
  items: Item[],
  { payload, text, image, stamp }: { payload: CompletePayload; text: Long; image: Long | null; stamp: Stamp },
): void {
  const parts = typeof text === "string" ? splitAttachments(text) : { text, images: [], files: [] };
  const images = image === null ? parts.images : [...parts.images, image];
  if (parts.text === "" && images.length === 0 && parts.files.length === 0) return;
  const last = items.at(-1);
  if (
    last?.kind === "prompt" &&
    (typeof last.text === "string" ? typeof parts.text === "string" || last.text === "" : parts.text === "")
  ) {
    items[items.length - 1] = {
      ...last,
      text: joinText(last.text, parts.text),
      images: [...last.images, ...images],
      files: [...last.files, ...parts.files],
    };
    return;
  }
  const prompt: PromptItem = { kind: "prompt", text: parts.text, images, files: parts.files, ...stamp };
  items.push({
    ...prompt,
    author: given(payload.author),
    sender: given(payload.sender),
    client_id: given(payload.client_id),
  });
}

function joinText(a: Long, b: Long): Long {
  if (a === "") return b;
  if (b === "" || typeof a !== "string" || typeof b !== "string") return a;
  return `${a}\n\n${b}`;
}
