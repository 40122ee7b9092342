import type { Words } from "./words";

/** Words of the Traces pages. */
export const traceWords = {
  "trace.title": ["Traces", "轨迹"],
} as const satisfies Words;
