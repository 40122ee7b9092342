/** Search in Traces: what is asked, and the lines of the streamed answer. */
import { z } from "zod";
import type { TraceFileView } from "./schemas";

const optional = z
  .string()
  .max(400)
  .transform((text) => (text.trim() === "" ? undefined : text.trim()))
  .optional();
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .optional()
  .or(z.literal("").transform(() => undefined));

export const SEARCH_STATUSES = ["failed", "timeout", "malformed", "aborted", "auth", "deny", "forbidden"] as const;

export const recordSearchQuery = z.object({
  q: optional,
  tool: optional,
  status: z
    .enum(SEARCH_STATUSES)
    .optional()
    .or(z.literal("").transform(() => undefined)),
});

/** `from` and `to` are calendar days, both inclusive, in the zone `tz` (minutes that UTC is ahead of local time). */
export const traceSearchQuery = recordSearchQuery.extend({
  agent: optional,
  /** `<provider>/<model_id>` */
  model: optional,
  person: optional,
  /** USD that the Session cost at least, at stamped prices. */
  min_cost: z.coerce.number().min(0).optional(),
  from: day,
  to: day,
  tz: z.coerce.number().int().min(-900).max(900).default(0),
});
export type TraceSearchQuery = z.infer<typeof traceSearchQuery>;

export interface TraceHit {
  index: number;
  line: number;
  timestamp: string;
  type: string;
  role?: string;
  snippet: { before: string; match: string; after: string };
}
export interface FoundSession {
  agent: string;
  session_id: string;
  title: string | null;
  imported: boolean;
  last_active_at: string;
  files: TraceFileView[];
  /** USD at stamped prices; absent when it was not asked for. */
  cost?: number;
}
export interface SearchProgress {
  bytes: number;
  total_bytes: number;
}
/** One line each. In a search over a Project a hit belongs to the Session named last. */
export type SearchLine =
  | { session: FoundSession }
  | { hit: TraceHit }
  | { progress: SearchProgress }
  /** `more`: the search stopped at its limit. */
  | { done: { hits: number; sessions: number; more: boolean } };
