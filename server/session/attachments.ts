/** Files that come with a message: checked by their bytes, stored in the Session's scratchpad, all or none of them. */
import { randomBytes } from "node:crypto";
import { realpath, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { AppError } from "../../lib/api/errors";
import type { InputPart } from "../../lib/api/schemas";
import type { Attachment } from "../../lib/omni/blocks";
import type { AgentRef, Layout } from "../paths";
import { imageDataUrl, inspectImage } from "../tools/image-data";
import { createPrivate } from "../workspace/open";

const MIB = 1024 * 1024;
export const MAX_FILES = 20;
export const MAX_FILE_BYTES = 10 * MIB;
export const MAX_TOTAL_BYTES = 12 * MIB;
/** Tries to find a free name. */
const MAX_TRIES = 8;

type FilePart = Exclude<InputPart, { type: "text" }>;

/**
 * Checks everything before anything is stored. Images come back with the kind that their bytes say. Throws
 * `too_many_files`, `file_too_large`, `payload_too_large` or `bad_request`, each naming the file and the limit.
 */
export function checkParts(parts: readonly InputPart[]): InputPart[] {
  const files = parts.filter((part) => part.type !== "text");
  if (files.length > MAX_FILES) {
    throw new AppError("too_many_files", `${files.length} files: at most ${MAX_FILES} images and files at once.`);
  }
  let total = 0;
  const checked = parts.map((part): InputPart => {
    if (part.type === "text") return part;
    const name = nameOf(part, files.indexOf(part));
    const bytes = decoded(part.data_url);
    if (!bytes) throw new AppError("bad_request", `${name} is not a base64 data URL.`);
    if (bytes.length > MAX_FILE_BYTES) throw new AppError("file_too_large", `${name} is larger than 10 MB.`);
    total += bytes.length;
    return part.type === "image" ? checkedImage(name, bytes) : checkedFile(part);
  });
  if (total > MAX_TOTAL_BYTES) {
    throw new AppError("payload_too_large", "All images and files of a message may have at most 12 MB together.");
  }
  return checked;
}

function nameOf(part: FilePart, index: number): string {
  return part.type === "file" ? `“${part.name}”` : `Image ${index + 1}`;
}

function checkedImage(name: string, bytes: Buffer): InputPart {
  const found = inspectImage(bytes);
  if (!found.ok) throw new AppError("bad_request", `${name} cannot be used: ${found.reason}.`);
  return { type: "image", data_url: imageDataUrl(found.image, bytes) };
}

function checkedFile(part: Extract<InputPart, { type: "file" }>): InputPart {
  const parts = part.name.split(/[/\\]/);
  if (parts.length > 1 || part.name === "." || part.name === ".." || part.name.includes("\0")) {
    throw new AppError("bad_request", `“${part.name}” is not a file name: it must not contain a path.`);
  }
  return part;
}

function decoded(dataUrl: string): Buffer | null {
  const comma = dataUrl.indexOf(",");
  const head = dataUrl.slice(0, comma);
  const data = dataUrl.slice(comma + 1);
  if (comma < 0 || !/^data:[^,]*;base64$/.test(head) || !/^[A-Za-z0-9+/=\s]*$/.test(data)) return null;
  return Buffer.from(data, "base64");
}

export interface ScratchpadPlace {
  layout: Layout;
  ref: AgentRef;
  session: string;
}

/** Stores checked parts in their order. When one cannot be stored none of them stays, and the error is thrown. */
export async function storeParts(parts: readonly FilePart[], place: ScratchpadPlace): Promise<Attachment[]> {
  const { layout, ref, session } = place;
  const folder = layout.scratchpad(ref, session);
  // The data root may be reached through a link; nothing below it is followed.
  const real = join(await realpath(layout.root), relative(layout.root, folder));
  const stored: string[] = [];
  try {
    for (const part of parts) stored.push(await store(part, real));
  } catch (error) {
    for (const name of stored) await rm(join(real, name), { force: true }).catch(() => {});
    throw error;
  }
  return parts.map((part, i) => ({ kind: part.type, path: join(folder, stored[i] ?? "") }));
}

async function store(part: FilePart, folder: string): Promise<string> {
  const bytes = decoded(part.data_url) ?? Buffer.alloc(0);
  for (let tries = 1; ; tries += 1) {
    const name = part.type === "image" ? imageName(bytes) : fileName(part.name, tries > 1);
    const made = await createPrivate(join(folder, name), bytes);
    if (made.ok) return name;
    if (made.code === "EEXIST" && tries < MAX_TRIES) continue;
    if (made.code === "ENOSPC" || made.code === "EDQUOT") throw new AppError("disk_full");
    throw new Error(`an attachment could not be stored: ${made.code}`);
  }
}

function imageName(bytes: Buffer): string {
  const found = inspectImage(bytes);
  return `upload-${randomBytes(4).toString("hex")}.${found.ok ? found.image.extension : "bin"}`;
}

const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;
const MAX_STEM_BYTES = 80;

/** FF 9.6: letters, digits, `._-` and what lies beyond ASCII stay, the rest becomes a dash; a taken name gets a suffix. */
export function fileName(given: string, taken: boolean): string {
  const clean = given
    .normalize("NFC")
    .replace(/[\p{C}\p{Z}]/gu, "-")
    .replace(/[^A-Za-z0-9._\u0080-\u{10ffff}-]/gu, "-")
    .replace(/^[.-]+/, "");
  const dot = clean.lastIndexOf(".");
  const letters = [...(dot > 0 ? clean.slice(0, dot) : clean)];
  const extension = dot > 0 ? [...clean.slice(dot)].slice(0, 16).join("") : "";
  while (Buffer.byteLength(letters.join("")) > MAX_STEM_BYTES) letters.pop();
  const stem = letters.join("") || "file";
  const safe = RESERVED.test(stem) ? `_${stem}` : stem;
  return `${safe}${taken ? `-${randomBytes(3).toString("hex")}` : ""}${extension}`;
}
