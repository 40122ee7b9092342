"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Columns2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Select } from "@/components/ui/select";
import { SkeletonLines } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { Time } from "@/components/ui/time";
import { failureFrom } from "@/lib/api/client";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import type { Side } from "@/lib/api/trace-compare";

/** Which Trace to put beside the one that is open. */
export function CompareChooser({ project, left }: { project: string; left: Side }) {
  const t = useT();
  const [agent, setAgent] = useState(left.agent);
  const agents = useQuery(queries.agents(project));
  const traces = useInfiniteQuery(queries.traces(project, agent));
  const sessions = (traces.data?.pages ?? [])
    .flatMap((page) => page.sessions)
    .filter(({ session_id }) => agent !== left.agent || session_id !== left.session);
  const failure = traces.error && !traces.data ? failureFrom(traces.error) : null;
  return (
    <section aria-label={t("compare.choose")}>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 className="text-base font-semibold">{t("compare.choose")}</h2>
        {agents.data && agents.data.length > 1 && (
          <Select
            look="chip"
            label={t("trace.agent")}
            value={agent}
            onChange={setAgent}
            options={agents.data.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </div>
      {failure && (
        <ErrorState title={t("trace.failed")} onRetry={() => void traces.refetch()}>
          {failure.code === "network" ? t("network") : failure.message}
        </ErrorState>
      )}
      {traces.isPending && <SkeletonLines lines={5} label={t("common.loading")} />}
      {traces.data && sessions.length === 0 && !traces.hasNextPage && (
        <EmptyState icon={<Columns2 aria-hidden="true" />} title={t("compare.none")}>
          {t("compare.none_body")}
        </EmptyState>
      )}
      <ul className="rounded-lg border empty:hidden">
        {sessions.map(({ session_id, title, last_active_at }) => (
          <li key={session_id} className="border-b last:border-b-0">
            <Link
              href={places.compareTraces(project, left, { agent, session: session_id })}
              className="flex min-h-10 items-center gap-3 px-4 py-2 hover:bg-hover"
            >
              <span className="min-w-0 flex-1 truncate">{title ?? t("trace.untitled")}</span>
              <span className="shrink-0 text-xs text-dim">
                <Time at={last_active_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {traces.hasNextPage && (
        <Button className="mt-3" busy={traces.isFetchingNextPage} onClick={() => void traces.fetchNextPage()}>
          {t("common.show_more")}
        </Button>
      )}
    </section>
  );
}
