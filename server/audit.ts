/** Who changed what: one JSON line per act, server-wide or per Project. Never holds a credential. */
import { stat } from "node:fs/promises";
import { appendLine } from "./files";
import type { Layout } from "./paths";

export interface AuditEntry {
  /** User id, or `server`. */
  by: string;
  /** `noun.verb`, such as `member.add`. */
  action: string;
  [detail: string]: unknown;
}

export class Audit {
  constructor(private readonly layout: Layout) {}

  /**
   * Appends to the Project's log, or to the server's when no Project is given, or one that is gone by now. A failure is
   * logged, never thrown.
   */
  async write(entry: AuditEntry, project?: string): Promise<void> {
    const at = new Date().toISOString();
    try {
      const gone = project && (await isGone(this.layout.project(project)));
      const path = project && !gone ? this.layout.projectAudit(project) : this.layout.audit;
      await appendLine(path, JSON.stringify({ at, ...entry, ...(gone ? { project } : {}) }));
    } catch (error) {
      console.error(`[audit] ${entry.action} could not be recorded:`, error instanceof Error ? error.message : error);
    }
  }
}

/** A line in its log would make a Project's folder anew. */
const isGone = (folder: string): Promise<boolean> =>
  stat(folder).then(
    () => false,
    () => true,
  );
