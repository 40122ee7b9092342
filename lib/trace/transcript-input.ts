/** What a person, or a machine on their behalf, put into a Session: prompts, markers, attachments and steering. */
import { type Attachment, readAttachments } from "../omni/blocks";
import type { CompletePayload } from "../omni/message";
import { type Long, long } from "./long";
import { type Stamp, touched, withItem } from "./transcript-fold";
import type { Item, PromptItem, TaskBlock } from "./transcript-items";
import { readMarker } from "./transcript-markers";

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

/** Pictures that follow a steering text belong to it. */
export function steering(block: TaskBlock, payload: CompletePayload, stamp: Stamp): TaskBlock {
  const image = imageOf(payload);
  const last = block.items.at(-1);
  if (image !== null && last?.kind === "steering") {
    return { ...block, items: block.items.with(-1, { ...last, images: [...last.images, image] }) };
  }
  const text = payload.type === "text" ? long(payload.text) : "";
  const marker = typeof text === "string" ? readMarker(text) : null;
  const parts =
    typeof text === "string"
      ? splitAttachments(marker?.kind === "steering" ? marker.body : text)
      : { text, images: [], files: [] };
  const images = image === null ? parts.images : [...parts.images, image];
  const attached = parts.files.length > 0 ? { files: parts.files } : {};
  const author = given(payload.author);
  return withItem(block, { kind: "steering", text: parts.text, images, ...attached, author, ...stamp });
}

/** The end of something in the background, told to a Task that goes on. */
export function report(block: TaskBlock, payload: CompletePayload, stamp: Stamp): TaskBlock {
  const text = payload.type === "text" ? long(payload.text) : "";
  const marker = readMarker(typeof text === "string" ? text : text.head);
  return marker?.kind === "banner" ? withItem(block, { kind: "banner", banner: marker.banner, ...stamp }) : block;
}

/** One part of a Prompt. */
export function prompt(block: TaskBlock, payload: CompletePayload, stamp: Stamp): TaskBlock {
  const image = imageOf(payload);
  const text = payload.type === "text" ? long(payload.text) : "";
  const marker = typeof text === "string" ? readMarker(text) : null;
  const items = [...block.items];
  if (marker?.kind === "banner") items.push({ kind: "banner", banner: marker.banner, ...stamp });
  addPrompt(items, { payload, text: marker?.kind === "banner" ? marker.rest : text, image, stamp });
  return { ...touched(block, stamp.at), items };
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
