import type { Frame } from "@/lib/api/frames";
import { textOf } from "@/lib/omni/assemble";
import { isPartial } from "@/lib/omni/guards";

/** A drawing of more text than this takes a page longer than a frame. Characters. */
const ENOUGH = 1_000;
/** Of a larger heap at least so much: it is never long in coming. */
const SHARE = 1 / 3;

const sizeOf = ({ event, data }: Frame) =>
  event === "message" && isPartial(data.message) ? textOf(data.message.payload).length : 0;

/**
 * How many of the frames that came are drawn together. Whatever was delayed comes at once; drawn at once, it would delay
 * what comes next.
 */
export function portion(frames: readonly Frame[]): number {
  const sizes = frames.map(sizeOf);
  const limit = Math.max(ENOUGH, SHARE * sizes.reduce((sum, size) => sum + size, 0));
  let drawn = 0;
  const full = sizes.findIndex((size) => {
    drawn += size;
    return drawn >= limit;
  });
  return full < 0 ? frames.length : full + 1;
}
