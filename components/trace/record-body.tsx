"use client";
import { useQuery } from "@tanstack/react-query";
import { useT } from "@/components/ui/language";
import { SkeletonLines } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/states";
import { failureFrom } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import type { TraceRef } from "@/lib/api/routes";
import { DamagedBody } from "./damaged-body";
import { EventBody } from "./event-body";

interface RecordBodyProps {
  trace: TraceRef;
  line: number;
  /** Was it damaged when it was listed? What was torn may be whole by now. */
  damaged?: boolean;
}

/** An opened record, read on its own: a list has only a line about each. */
export function RecordBody({ trace, line, damaged = false }: RecordBodyProps) {
  const t = useT();
  const rows = useQuery(queries.traceRow(trace, line, damaged));
  const row = rows.data?.records[0];
  if (rows.error && !row) {
    const failure = failureFrom(rows.error);
    return (
      <ErrorState title={t("trace.rows_failed")} onRetry={() => void rows.refetch()} className="m-3">
        {failure.code === "network" ? t("network") : failure.message}
      </ErrorState>
    );
  }
  if (!row)
    return (
      <div className="animate-late px-4 pt-2 pb-4 md:pr-6 md:pl-27">
        <SkeletonLines lines={3} label={t("common.loading")} />
      </div>
    );
  if ("error" in row) return <DamagedBody trace={trace} line={line} error={row.error} head={row.raw_head} />;
  return <EventBody trace={trace} line={line} message={row.message} />;
}
