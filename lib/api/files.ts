/** Files of a Workspace: bodies of requests and shapes of answers. Browser code imports only types. */
import { z } from "zod";

/** POST files/known */
export const knownFilesBody = z.strictObject({ names: z.array(z.string().min(1).max(1_024)).max(60) });

/** What is in a folder of the Workspace. */
export interface FileEntry {
  name: string;
  /** Links are shown, never followed. */
  type: "folder" | "file" | "link" | "other";
  bytes: number;
  /** ISO time. */
  changed_at: string;
  /** Its name is no UTF-8: `name` only looks like it, and nothing is found by it. */
  no_text?: true;
}
export interface FolderView {
  /** Absolute path of the Workspace. */
  workspace: string;
  /** From the Workspace on; "" for itself. */
  path: string;
  entries: FileEntry[];
  /** So many entries are left out. */
  more?: number;
}
export interface KnownFile {
  /** As it was asked for. */
  name: string;
  path: string;
  bytes: number;
}
