/** One file of a Session's scratchpad, for its page. Links are not followed; folders are not listed. */
import { realpath } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { Readable } from "node:stream";
import { AppError } from "../../lib/api/errors";
import type { SessionRef } from "../../lib/api/routes";
import { StreamMask } from "../../lib/mask";
import { type Layout, SECRET_FILES } from "../paths";
import { maskedBytes } from "../tools/mask";
import { openFile } from "../workspace/open";
import { refOfAgent } from "./open";

/** Shown in the page; everything else is only ever saved. */
const INLINE: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

function isFileName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\]/.test(name) && !/\p{Cc}/u.test(name);
}

/** `secrets` are masked (AC3). Throws `not_found` for everything that is not a regular file directly in the scratchpad. */
export async function scratchpadFile(
  layout: Layout,
  ref: SessionRef,
  name: string,
  secrets: readonly string[],
): Promise<Response> {
  if (!isFileName(name) || SECRET_FILES.has(name.toLowerCase())) throw new AppError("not_found");
  const folder = layout.scratchpad(refOfAgent(ref), ref.session);
  const root = await realpath(layout.root).catch(() => layout.root);
  const file = await openFile(join(root, relative(layout.root, folder), name));
  if (!file.ok) throw new AppError("not_found");
  const type = INLINE[extname(name).toLowerCase()];
  const shown = `${type ? "inline" : "attachment"}; filename*=UTF-8''${encodeURIComponent(name)}`;
  // The stream closes the file, also when its reader leaves.
  const stream = file.handle.createReadStream();
  const { active } = new StreamMask(secrets);
  const bytes = Readable.toWeb(active ? Readable.from(maskedBytes(stream, secrets)) : stream);
  return new Response(bytes as ReadableStream<Uint8Array>, {
    headers: {
      "content-type": type ?? "application/octet-stream",
      ...(active ? {} : { "content-length": String(file.size) }),
      "content-disposition": shown,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    },
  });
}
