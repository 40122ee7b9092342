import type { RunState } from "./frames";
import type { TraceFileView, TraceRowsPage } from "./schemas";
import type { SummariesPage } from "./trace-summary";

/** A Session's Trace as a whole: what the Trace view shows around the records. */
export interface TraceOverview {
  session_id: string;
  title: string | null;
  imported: boolean;
  /** By ascending index. */
  files: (TraceFileView & { lines: number })[];
  provider?: string;
  model_id?: string;
  context_window?: number;
  workspace?: string;
  created_by?: string;
  source?: string;
  parent?: { agent: string; session_id: string; tool_call_id: string };
  forked_from?: { agent: string; session_id: string };
  switched_from?: { agent: string; session_id: string };
  handoff_from?: { agent: string; session_id: string };
  /** Is the Session at work here and now? */
  state: RunState;
}

/** What comes with the page: the window at which it opens, when it opens with records, and the record that is linked. */
export interface TraceOpening {
  overview: TraceOverview;
  rows: { index: number; window: number; page: SummariesPage } | null;
  linked: { index: number; line: number; page: TraceRowsPage } | null;
}
