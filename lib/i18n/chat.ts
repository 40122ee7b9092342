import type { Words } from "./words";

/** Words of the conversation: messages, work, approvals, composer. */
export const chatWords = {} as const satisfies Words;
