"use client";
import { useQuery } from "@tanstack/react-query";
import { ArrowDown, Columns2 } from "lucide-react";
import { useRef } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { PageHeader } from "@/components/ui/navigation";
import { SkeletonLines } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { ask, failureFrom } from "@/lib/api/client";
import { places } from "@/lib/api/places";
import { routes } from "@/lib/api/routes";
import type { Side, TraceComparison } from "@/lib/api/trace-compare";
import { CompareChooser } from "./compare-chooser";
import { CompareFigures } from "./compare-figures";
import { CompareRow } from "./compare-row";

interface CompareViewProps {
  project: string;
  left: Side | null;
  right: Side | null;
}

/** Two Traces side by side: their figures, and their steps with the first difference marked. */
export function CompareView({ project, left, right }: CompareViewProps) {
  const t = useT();
  const both = left && right ? { left, right } : null;
  const query = both ? `left=${nameOf(both.left)}&right=${nameOf(both.right)}` : "";
  const compared = useQuery({
    queryKey: ["trace-compare", project, query],
    queryFn: ({ signal }) => ask<TraceComparison>(`${routes.traceCompare(project)}?${query}`, signal),
    enabled: both !== null,
    staleTime: 10_000,
  });
  const failure = compared.error ? failureFrom(compared.error) : null;
  return (
    <>
      <PageHeader title={t("compare.title")} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-6xl px-4 py-5 md:px-6">
          {!left && (
            <EmptyState
              icon={<Columns2 aria-hidden="true" />}
              title={t("compare.title")}
              action={
                <Button asChild>
                  <Link href={places.traces(project)}>{t("trace.back")}</Link>
                </Button>
              }
            >
              {t("compare.missing")}
            </EmptyState>
          )}
          {left && !right && <CompareChooser project={project} left={left} />}
          {failure && (
            <ErrorState title={t("compare.failed")} onRetry={() => void compared.refetch()}>
              {failure.code === "network" ? t("network") : failure.message}
            </ErrorState>
          )}
          {both && compared.isPending && <SkeletonLines lines={8} label={t("common.loading")} />}
          {left && compared.data && <Comparison project={project} left={left} data={compared.data} />}
        </div>
      </div>
    </>
  );
}

const nameOf = ({ agent, session }: Side) => encodeURIComponent(`${agent}/${session}`);

function Comparison({ project, left, data }: { project: string; left: Side; data: TraceComparison }) {
  const t = useT();
  const list = useRef<HTMLOListElement>(null);
  const { rows, first_difference: first, more } = data;
  const goToFirst = () => {
    const row = first === null ? null : list.current?.children[first];
    row?.scrollIntoView({ block: "center" });
    if (row instanceof HTMLElement) row.focus({ preventScroll: true });
  };
  return (
    <div className="flex flex-col gap-4">
      <CompareFigures project={project} data={data} />
      <div className="flex flex-wrap items-center gap-3">
        {first === null ? (
          <Badge tone="good">{t("compare.same")}</Badge>
        ) : (
          <Button size="sm" onClick={goToFirst}>
            <ArrowDown aria-hidden="true" />
            {t("compare.first", { step: first + 1 })}
          </Button>
        )}
        <Button asChild size="sm" variant="ghost">
          <Link href={places.compareTraces(project, left)}>{t("compare.another")}</Link>
        </Button>
      </div>
      <ol ref={list} className="rounded-lg border">
        {rows.map((row, i) => (
          <CompareRow
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one comparison never move
            key={i}
            {...{ project, row, data }}
            step={i + 1}
            first={i === first}
          />
        ))}
      </ol>
      {more > 0 && <p className="text-sm text-dim">{t("compare.more", { count: more })}</p>}
    </div>
  );
}
