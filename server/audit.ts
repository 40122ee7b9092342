/** Who changed what: one JSON line per act, server-wide or per Project. Never holds a credential. */
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

  /** Appends to the Project's log, or to the server's when no Project is given. A failure is logged, never thrown. */
  async write(entry: AuditEntry, project?: string): Promise<void> {
    const path = project ? this.layout.projectAudit(project) : this.layout.audit;
    try {
      await appendLine(path, JSON.stringify({ at: new Date().toISOString(), ...entry }));
    } catch (error) {
      console.error(`[audit] ${entry.action} could not be recorded:`, error instanceof Error ? error.message : error);
    }
  }
}
