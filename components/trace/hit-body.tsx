"use client";
import { useQuery } from "@tanstack/react-query";
import { useT } from "@/components/ui/language";
import { Spinner } from "@/components/ui/spinner";
import { ErrorState } from "@/components/ui/states";
import { queries } from "@/lib/api/queries";
import type { TraceRef } from "@/lib/api/routes";
import { DamagedBody } from "./damaged-body";
import { EventBody } from "./event-body";

/** One record of any Trace, read on its own. */
export function HitBody({ trace, line }: { trace: TraceRef; line: number }) {
  const t = useT();
  const rows = useQuery(queries.traceRows(trace, line - 1, 1));
  const row = rows.data?.records[0];
  if (rows.error)
    return <ErrorState title={t("trace.rows_failed")} onRetry={() => void rows.refetch()} className="m-3" />;
  if (!row) return <Spinner className="m-3 text-faint" />;
  if ("error" in row) return <DamagedBody trace={trace} line={line} error={row.error} head={row.raw_head} />;
  return <EventBody trace={trace} line={line} message={row.message} />;
}
