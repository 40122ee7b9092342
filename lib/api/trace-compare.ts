/** Two Traces side by side. */
/** Which Session of the Project stands on a side. */
export interface Side {
  agent: string;
  session: string;
}
export interface ComparedSide {
  agent: string;
  session_id: string;
  title: string | null;
  provider?: string;
  model_id?: string;
  /** Index of its newest file. */
  index: number;
  tasks: number;
  requests: number;
  calls: number;
  steps: number;
  tokens: { cache_read: number; cache_write: number; output: number };
  /** USD at stamped prices; null: no Request has one. */
  usd: number | null;
  /** Sum of the Tasks' spans. */
  elapsed_ms: number;
}
export interface ComparedStep {
  at: { file_index: number; line: number };
  kind: string;
  name: string;
  text: string;
}
export interface TraceComparison {
  left: ComparedSide;
  right: ComparedSide;
  rows: { left: ComparedStep | null; right: ComparedStep | null; same: boolean }[];
  /** Position in `rows`; null: they are the same. */
  first_difference: number | null;
  /** Rows that are not sent. */
  more: number;
}
