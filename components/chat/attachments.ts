/** Files on their way into a message: limits are checked before anything is read or sent. */
import type { InputPart } from "@/lib/api/schemas";

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
export const MAX_TOTAL_BYTES = 12 * 1024 * 1024;
export const MAX_FILES = 20;
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export interface Attachment {
  id: string;
  name: string;
  bytes: number;
  image: boolean;
  data_url: string;
}
export type Refusal = { reason: "too_large" | "too_much" | "too_many" | "unreadable"; name: string };

/** Which of the files may join what is there already; the rest with the reason. */
export function chooseFiles(
  files: readonly File[],
  present: readonly Attachment[],
): { accepted: File[]; refused: Refusal[] } {
  const accepted: File[] = [];
  const refused: Refusal[] = [];
  let total = present.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const file of files) {
    const reason =
      file.size > MAX_FILE_BYTES
        ? "too_large"
        : total + file.size > MAX_TOTAL_BYTES
          ? "too_much"
          : present.length + accepted.length >= MAX_FILES
            ? "too_many"
            : null;
    if (reason) refused.push({ reason, name: file.name });
    else {
      accepted.push(file);
      total += file.size;
    }
  }
  return { accepted, refused };
}

/** null when the browser cannot read the file (a folder, or it has gone). */
export function readAttachment(file: File): Promise<Attachment | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onerror = () => resolve(null);
    reader.onload = () => {
      const { result } = reader;
      if (typeof result !== "string") return resolve(null);
      const image = IMAGE_TYPES.has(file.type);
      const data_url = result.startsWith("data:;")
        ? result.replace("data:;", "data:application/octet-stream;")
        : result;
      resolve({ id: newClientId(), name: file.name || "image.png", bytes: file.size, image, data_url });
    };
    reader.readAsDataURL(file);
  });
}

export function toParts(text: string, attachments: readonly Attachment[]): InputPart[] {
  const parts: InputPart[] = text.trim() === "" ? [] : [{ type: "text", text }];
  for (const { image, name, data_url } of attachments) {
    parts.push(image ? { type: "image", data_url } : { type: "file", name, data_url });
  }
  return parts;
}

/** A part of a message that was taken back, as an attachment again; texts are none. */
export function fromPart(part: InputPart): Attachment[] {
  if (part.type === "text") return [];
  const bytes = Math.floor(((part.data_url.length - part.data_url.indexOf(",") - 1) * 3) / 4);
  const name = part.type === "file" ? part.name : `image.${/^data:image\/(\w+)/.exec(part.data_url)?.[1] ?? "png"}`;
  return [{ id: newClientId(), name, bytes, image: part.type === "image", data_url: part.data_url }];
}

/** Idempotency key of one message. `crypto.randomUUID` is missing on plain HTTP. */
export function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
