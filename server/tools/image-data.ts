/** What an image file is, by its bytes and not by its name: kind, size, and whether it is there to its end. */

export interface ImageFacts {
  mime: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  extension: "png" | "jpg" | "gif" | "webp";
  /** Pixels; 0 when the file does not tell in the usual place. */
  width: number;
  height: number;
}
export type Inspected = { ok: true; image: ImageFacts } | { ok: false; reason: string };

const cut = (kind: string): Inspected => ({ ok: false, reason: `the ${kind} file is incomplete: it breaks off` });
const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString("latin1", from, to);

/** `reason` is a sentence fragment about the file. */
export function inspectImage(bytes: Buffer): Inspected {
  if (bytes.length === 0) return { ok: false, reason: "the file is empty" };
  if (ascii(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") return inspectPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return inspectJpeg(bytes);
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return inspectGif(bytes);
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP") return inspectWebp(bytes);
  return { ok: false, reason: "its content is not a PNG, JPEG, GIF or WebP image" };
}

/** Chunks follow each other up to IEND. */
function inspectPng(bytes: Buffer): Inspected {
  if (bytes.length < 33 || ascii(bytes, 12, 16) !== "IHDR") return cut("PNG");
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (ascii(bytes, at + 4, at + 8) === "IEND") return sized({ mime: "image/png", extension: "png", width, height });
  }
  return cut("PNG");
}

function inspectJpeg(bytes: Buffer): Inspected {
  // Cameras put data of their own behind the end mark.
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 2) return cut("JPEG");
  const image: ImageFacts = { mime: "image/jpeg", extension: "jpg", width: 0, height: 0 };
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const mark = bytes[at + 1] ?? 0;
    if (mark < 0xc0 || mark > 0xcf || mark === 0xc4 || mark === 0xc8 || mark === 0xcc) continue;
    return sized({ ...image, width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) });
  }
  return { ok: true, image };
}

function inspectGif(bytes: Buffer): Inspected {
  if (bytes.length < 14 || bytes.lastIndexOf(0x3b) < 13) return cut("GIF");
  return sized({ mime: "image/gif", extension: "gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) });
}

function inspectWebp(bytes: Buffer): Inspected {
  if (bytes.length < 20 || bytes.readUInt32LE(4) + 8 > bytes.length) return cut("WebP");
  return { ok: true, image: { mime: "image/webp", extension: "webp", width: 0, height: 0 } };
}

function sized(image: ImageFacts): Inspected {
  if (image.width === 0 || image.height === 0) return { ok: false, reason: "the image has no width or no height" };
  return { ok: true, image };
}

export function imageDataUrl(image: ImageFacts, bytes: Buffer): string {
  return `data:${image.mime};base64,${bytes.toString("base64")}`;
}
