/** read_image and describe_image: a picture for models that see, and its description for models that do not. */
import { z } from "zod";
import { openFile } from "../workspace/open";
import { type ImageFacts, imageDataUrl, inspectImage } from "./image-data";
import { describeFailure, describeMissing } from "./missing-path";
import { defineTool, type ToolRun } from "./tool";

const MIB = 1024 * 1024;
const MAX_IMAGE_BYTES = 5 * MIB;
/** For a picture from the web. */
const WEB_MS = 30_000;
/** What it is, its bytes decide. */
const WEB_TYPES = ["image/", "application/octet-stream"];

type Loaded = { ok: true; bytes: Buffer; image: ImageFacts } | { ok: false; message: string };

const isWebAddress = (source: unknown) => typeof source === "string" && /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(source);
const reachesOut = ({ source }: Record<string, unknown>) => isWebAddress(source);

/** Section 7: asks like a write, public addresses only. */
async function fetchImage(source: string, { session, signal }: ToolRun): Promise<Loaded> {
  const limits = { maxBytes: MAX_IMAGE_BYTES, timeoutMs: WEB_MS, types: WEB_TYPES, signal };
  const fetched = await session.fetchWeb(source.trim(), limits);
  return fetched.ok ? judged(source, fetched.bytes) : refused(source, fetched.message);
}

function judged(source: string, bytes: Buffer): Loaded {
  const found = inspectImage(bytes);
  return found.ok ? { ...found, bytes } : refused(source, found.reason);
}
const refused = (source: string, why: string): Loaded => ({
  ok: false,
  message: `"${source.slice(0, 2_000)}" cannot be used: ${why}.`,
});

async function loadImage(source: string, run: ToolRun): Promise<Loaded> {
  if (isWebAddress(source)) return fetchImage(source, run);
  const resolved = await run.session.confinement.resolveInside(source, "read");
  if (!resolved.ok) return resolved;
  if (!resolved.exists) return { ok: false, message: await describeMissing(source, resolved.path) };
  const file = await openFile(resolved.path);
  if (!file.ok) return { ok: false, message: describeFailure(source, file) };
  try {
    if (file.size > MAX_IMAGE_BYTES) {
      const message = `"${source}" is ${formatBytes(file.size)}; images may have at most ${formatBytes(MAX_IMAGE_BYTES)}.`;
      return { ok: false, message };
    }
    return judged(source, await file.handle.readFile({ signal: run.signal }));
  } finally {
    await file.handle.close();
  }
}

function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < MIB ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
}

const params = {
  source: z
    .string()
    .describe("Path of the image file (absolute, or relative to the Workspace), or its http(s) address on the web."),
};
const KINDS = "PNG, JPEG, GIF or WebP, at most 5 MiB";

export const readImage = defineTool({
  name: "read_image",
  description: `Shows you an image (${KINDS}).`,
  permission: "r",
  timeoutMs: 60_000,
  maxOutputLength: 16_000,
  forModel: "vision",
  params,
  reachesOut,
  async run({ source }, run) {
    const loaded = await loadImage(source, run);
    if (!loaded.ok) {
      run.out(loaded.message);
      return { failed: true };
    }
    const { image, bytes } = loaded;
    const size = image.width > 0 ? `, ${image.width} x ${image.height}` : "";
    run.out(`${image.mime}${size}, ${formatBytes(bytes.length)}`);
    return { images: [imageDataUrl(image, bytes)] };
  },
});

export const describeImage = defineTool({
  name: "describe_image",
  description: `Lets another model, one that sees, describe an image (${KINDS}). Ask for what you need to know.`,
  permission: "r",
  timeoutMs: 90_000,
  maxOutputLength: 16_000,
  forModel: "text-only",
  reachesOut,
  params: { ...params, prompt: z.string().optional().describe("What to look for; absent: a full description.") },
  async run({ source, prompt }, run) {
    const loaded = await loadImage(source, run);
    const describe = run.session.describeImage;
    const said = !loaded.ok
      ? loaded
      : describe
        ? await describe(imageDataUrl(loaded.image, loaded.bytes), prompt, run.signal)
        : { ok: false as const, message: "Images cannot be described here." };
    run.out(said.ok ? said.text : said.message);
    return said.ok ? {} : { failed: true };
  },
});
