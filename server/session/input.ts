/** What a person sends -> input records. Images go to the model if it sees them, else as paths; files as paths. */
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/api/errors";
import type { InputPart } from "../../lib/api/schemas";
import { type Attachment, writeAttachments } from "../../lib/omni/blocks";
import { model } from "../../lib/omni/build";
import type { CompleteMessage } from "../../lib/omni/message";

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 20;
const IMAGE = /^data:image\/(png|jpeg|gif|webp);base64,/;
const EXTENSION: Record<string, string> = { png: "png", jpeg: "jpg", gif: "gif", webp: "webp" };

/** Limits and forms, checked before anything is stored. Throws `bad_request` or `file_too_large`. */
export function checkParts(parts: readonly InputPart[]): void {
  const files = parts.filter((part) => part.type !== "text");
  if (files.length > MAX_FILES) throw new AppError("bad_request", `At most ${MAX_FILES} images and files at once.`);
  for (const part of files) {
    if (base64Bytes(part.data_url) > MAX_FILE_BYTES) throw new AppError("file_too_large");
    if (part.type === "image" && !IMAGE.test(part.data_url)) {
      throw new AppError("bad_request", "An image must be PNG, JPEG, GIF or WebP, as a base64 data URL.");
    }
    if (part.type === "file" && !decodeDataUrl(part.data_url)) {
      throw new AppError("bad_request", "A file must be a base64 data URL.");
    }
  }
}

function base64Bytes(dataUrl: string): number {
  return Math.floor(((dataUrl.length - dataUrl.indexOf(",") - 1) * 3) / 4);
}
function decodeDataUrl(dataUrl: string): Buffer | null {
  const match = /^data:[^,]*;base64,([A-Za-z0-9+/=\s]*)$/.exec(dataUrl);
  return match ? Buffer.from(match[1] ?? "", "base64") : null;
}

export interface InputContext {
  scratchpad: string;
  /** Does the model see images? */
  vision: boolean;
  author?: string;
  sender?: string;
  client_id: string;
}

/** The records of one message: its texts (with attachment lines behind the last), then its images. */
export async function inputRecords(parts: readonly InputPart[], context: InputContext): Promise<CompleteMessage[]> {
  const texts: string[] = [];
  const images: string[] = [];
  const attachments: Attachment[] = [];
  for (const part of parts) {
    if (part.type === "text") texts.push(part.text);
    else if (part.type === "image" && context.vision) images.push(part.data_url);
    else attachments.push(await store(part, context.scratchpad));
  }
  if (attachments.length > 0) texts.push(writeAttachments(texts.pop() ?? "", attachments));
  const { author, sender, client_id } = context;
  const who = { ...(author ? { author } : {}), ...(sender ? { sender } : {}), client_id };
  const of = { role: "user" as const, stop_reason: "completed" as const, ...who };
  return [
    ...texts.map((text) => model({ type: "text" as const, text, ...of })),
    ...images.map((image_url) => model({ type: "image_url" as const, image_url, ...of })),
  ];
}

async function store(part: Exclude<InputPart, { type: "text" }>, folder: string): Promise<Attachment> {
  const data = decodeDataUrl(part.data_url) ?? Buffer.alloc(0);
  const kind = part.type;
  const unique = randomBytes(4).toString("hex");
  const name = kind === "image" ? `upload-${unique}.${imageExtension(part.data_url)}` : fileName(part.name, unique);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  await writeFile(path, data, { flag: "wx", mode: 0o600 });
  return { kind, path };
}

function imageExtension(dataUrl: string): string {
  return EXTENSION[IMAGE.exec(dataUrl)?.[1] ?? ""] ?? "bin";
}

/** Letters, digits, `._-` and everything beyond ASCII stay; the rest becomes a dash. Always unique. */
export function fileName(given: string, unique: string): string {
  const clean = given
    .normalize("NFC")
    .replace(/[\p{C}\p{Z}]/gu, "-")
    .replace(/[^A-Za-z0-9._\u0080-\u{10ffff}-]/gu, "-")
    .replace(/^[.-]+/, "");
  const dot = clean.lastIndexOf(".");
  const stem = dot > 0 ? clean.slice(0, dot) : clean;
  const extension = dot > 0 ? clean.slice(dot).slice(0, 16) : "";
  let short = stem || "file";
  while (Buffer.byteLength(short) > 80) short = [...short].slice(0, -1).join("");
  return `${short}-${unique}${extension}`;
}
