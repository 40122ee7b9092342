import { createHash } from "node:crypto";

/** How a sign-in is named to its person: its sid stands in a cookie and is told to nobody. */
export const signInId = (sid: string): string => createHash("sha256").update(sid).digest("hex").slice(0, 16);
