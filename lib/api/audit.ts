/** The audit log of a Project: its lines, and the kinds by which it is filtered. No validator: a browser reads it too. */

export interface AuditLine {
  /** ISO time. */
  at: string;
  /** User id, or `server`. */
  by: string;
  /** `noun.verb`, such as `member.add`. */
  action: string;
  [detail: string]: unknown;
}
export interface AuditPage {
  /** Newest first. */
  entries: AuditLine[];
  /** Where older ones begin; absent: there are none. */
  before?: number;
}

export const AUDIT_KINDS = [
  "sign_ins",
  "members",
  "keys",
  "shares",
  "exports",
  "imports",
  "deletions",
  "settings",
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

const PATTERNS: Record<AuditKind, RegExp> = {
  sign_ins: /^sign_in/,
  members: /^member\./,
  keys: /^(models|vault|key)\./,
  shares: /^share\./,
  exports: /\.export$/,
  imports: /\.import$/,
  deletions: /\.deleted?$/,
  settings: /^(project|agent|budget|policy)s?\./,
};

/** Does an action belong to this kind? */
export const isOfKind = (action: string, kind: AuditKind): boolean => PATTERNS[kind].test(action);
