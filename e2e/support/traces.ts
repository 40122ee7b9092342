/** Reads the tree of a test server as a person would: with the file system only. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Line {
  type: string;
  payload: Record<string, unknown> & { type?: string };
}

/** All Trace files of a Session, oldest first. */
export function traceFiles(root: string, session: string, agent = "default_agent"): string[] {
  const folder = join(root, "default_project", "agents", agent, "traces");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl") && name.includes(`${session}_`))
    .sort()
    .map((name) => join(folder, name));
}

export function readLines(path: string): Line[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line): Line => JSON.parse(line));
}

/** A record in a word: `text/user`, `request_end/completed`, `session_meta` … */
export function kindOf({ type, payload }: Line): string {
  if (type === "session_meta") return type;
  const detail = payload.type === "request_end" ? payload.status : payload.type === "text" ? payload.role : undefined;
  return detail ? `${payload.type}/${detail}` : String(payload.type);
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
