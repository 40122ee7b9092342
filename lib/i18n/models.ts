import type { Words } from "./words";

/** Words of the Models page. */
export const modelWords = {
  "models.title": ["Models", "模型"],
} as const satisfies Words;
