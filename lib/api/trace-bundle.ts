/** A whole Session in one file: its Trace files, its scratchpad, its children. */
export interface BundleResult {
  /** The Session that the bundle was made of. */
  session_id: string;
  sessions: { session_id: string; files: number; bytes: number }[];
  damaged: { session_id: string; index: number; line: number; error: string }[];
}
