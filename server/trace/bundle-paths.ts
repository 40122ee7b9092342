/** What a bundle's entries are called, and which names an import accepts. Everything else is refused. */
import { isDateFolder, isSessionId, parseTraceFileName, traceFileName } from "../../lib/trace/name";
import { SECRET_FILES } from "../paths";

export const MANIFEST = "penguin-session.json";
const MAX_DEPTH = 20;
const MAX_NAME = 255;

export type BundlePart =
  | { kind: "manifest" }
  | { kind: "trace"; session: string; date: string; index: number }
  | { kind: "file"; session: string; segments: string[] };

export function traceEntry(session: string, date: string, index: number): string {
  return `sessions/${session}/trace/${date}/${traceFileName(session, index)}`;
}
export function fileEntry(session: string, segments: readonly string[]): string {
  return `sessions/${session}/files/${segments.join("/")}`;
}

/** null: no name of ours; climbing out, absolute paths, control characters and names of secrets are none. */
export function partOf(entry: string): BundlePart | null {
  if (entry === MANIFEST) return { kind: "manifest" };
  const [root, session = "", kind, ...rest] = entry.split("/");
  if (root !== "sessions" || !isSessionId(session)) return null;
  if (kind === "files") return isSafe(rest) ? { kind: "file", session, segments: rest } : null;
  const [date = "", name = "", ...more] = rest;
  const parsed = parseTraceFileName(name);
  if (kind !== "trace" || more.length > 0 || !isDateFolder(date) || parsed?.session_id !== session) return null;
  return { kind: "trace", session, date, index: parsed.index };
}

export function isSafe(segments: readonly string[]): boolean {
  if (segments.length === 0 || segments.length > MAX_DEPTH) return false;
  return segments.every(
    (name) =>
      name !== "" &&
      name !== "." &&
      name !== ".." &&
      Buffer.byteLength(name) <= MAX_NAME &&
      !/[\\\p{Cc}]/u.test(name) &&
      !SECRET_FILES.has(name.toLowerCase()),
  );
}
