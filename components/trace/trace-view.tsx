"use client";
import { ChartGantt, ChevronRight, List, Rows3 } from "lucide-react";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import { usePageTitle } from "@/components/ui/navigation";
import { Segmented } from "@/components/ui/segmented";
import { SkeletonLines } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { failureFrom } from "@/lib/api/client";
import type { SessionRef, TraceRef } from "@/lib/api/routes";
import type { TraceOverview } from "@/lib/api/trace-overview";
import type { SessionAnalysis } from "@/lib/trace/analysis";
import { addressKey, type Span } from "@/lib/trace/timeline";
import { FileDivider } from "./file-divider";
import { FindBar } from "./find-bar";
import { Hot, HotContext } from "./hot";
import { HEAD, type Item } from "./reading";
import { RecordList, type RecordListHandle } from "./record-list";
import { TaskCard } from "./task-card";
import { TraceHeader } from "./trace-header";
import { TraceTotals } from "./trace-totals";
import { useFind } from "./use-find";
import { type Reading, type Start, useReading } from "./use-reading";
import { type Opening, useOpening, useTrace } from "./use-trace";

interface TraceViewProps {
  trace: TraceRef;
  line?: number;
  view?: Reading;
  q?: string;
  opening?: Opening;
}

/** A Session's Trace: all its files in one reading, as a timeline or record by record. */
export function TraceView(props: TraceViewProps) {
  const { project, agent, session: id } = props.trace;
  const session = useMemo(() => ({ project, agent, session: id }), [project, agent, id]);
  const opened = <Opened {...props} session={session} />;
  // A boundary of this size comes behind the page even when nothing in it has to wait.
  if (props.opening && "text" in props.opening) return opened;
  return <Suspense fallback={<Loading session={session} />}>{opened}</Suspense>;
}

function Loading({ session }: { session: SessionRef }) {
  const t = useT();
  return (
    <>
      <TraceHeader session={session} overview={undefined} damaged={[]} onShow={() => {}} />
      <SkeletonLines lines={8} label={t("common.loading")} className="p-6" />
    </>
  );
}

function Opened({ trace, session, line, view, q, opening }: TraceViewProps & { session: SessionRef }) {
  const t = useT();
  useOpening(session, opening);
  const { overview, analysis, files, wantTasks } = useTrace(session);
  const { index, session: id } = trace;
  usePageTitle(`${overview.data?.title ?? id} · ${t("trace.one")}`);
  if (overview.error && !overview.data) {
    const failure = failureFrom(overview.error);
    return (
      <>
        <TraceHeader session={session} overview={undefined} damaged={[]} onShow={() => {}} />
        <ErrorState title={t("trace.file_failed")} onRetry={() => void overview.refetch()} className="m-4 md:m-6">
          {failure.code === "network" ? t("network") : failure.message}
        </ErrorState>
      </>
    );
  }
  if (!overview.data) return <Loading session={session} />;
  const start: Start = { index, line, view, q };
  const problem = analysis.error ? failureFrom(analysis.error) : null;
  const failed = problem && (problem.code === "network" ? t("network") : problem.message);
  return (
    <Readings
      {...{ session, overview: overview.data, files, start, failed, wantTasks }}
      analysis={analysis.data}
      onAgain={() => void analysis.refetch()}
    />
  );
}

interface ReadingsProps {
  session: SessionRef;
  overview: TraceOverview;
  files: TraceOverview["files"];
  analysis: SessionAnalysis | undefined;
  failed: string | null;
  onAgain: () => void;
  start: Start;
  wantTasks: () => void;
}

function Readings({ session, overview, files, analysis, failed, onAgain, start, wantTasks }: ReadingsProps) {
  const t = useT();
  const list = useRef<RecordListHandle | null>(null);
  const [hot] = useState(() => new Hot());
  const state = useReading(session, start, files, analysis, list);
  const { reading, items, show } = state;
  useEffect(() => {
    if (reading === "timeline") wantTasks();
  }, [reading, wantTasks]);
  const find = useHits(session, state.text, show);
  const pin = useCallback(
    (span: Span) => {
      hot.pin(span.records.map(addressKey));
      show(span.at);
    },
    [hot, show],
  );
  useEscape(() => hot.pin([]));
  const damaged = (analysis?.files ?? []).flatMap((file) =>
    file.damaged.map((line) => ({ file_index: file.index, line })),
  );
  const lost = start.line !== undefined && state.positions.of({ file_index: start.index, line: start.line }) < 0;
  const empty = files.every(({ lines }) => lines === 0);
  return (
    <HotContext value={hot}>
      <TraceHeader session={session} overview={overview} damaged={damaged} onShow={show} />
      <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1 md:px-6">
        <Segmented
          label={t("timeline.reading")}
          value={reading}
          onChange={state.choose}
          options={[
            {
              value: "timeline",
              label: <Named icon={<ChartGantt aria-hidden="true" />} name={t("timeline.timeline")} />,
            },
            { value: "events", label: <Named icon={<List aria-hidden="true" />} name={t("timeline.events")} /> },
          ]}
        />
        <FindBar text={state.text} found={find.found} at={find.at} onText={state.setText} onStep={find.step} />
      </div>
      {empty && <EmptyState title={t("trace.empty_file")} />}
      {lost && !empty && (
        <Banner tone="attention" className="mx-4 mt-3 md:mx-6">
          {t("trace.no_such_line", { line: String(start.line), file: String(start.index) })}
        </Banner>
      )}
      {reading === "timeline" && !analysis && !failed && (
        <SkeletonLines lines={6} label={t("timeline.reading_records")} className="p-6" />
      )}
      {reading === "timeline" && failed && (
        <ErrorState title={t("timeline.failed_load")} onRetry={onAgain} className="m-4 md:m-6">
          {failed}
        </ErrorState>
      )}
      <RecordList
        {...{ session, files, items }}
        handle={list}
        open={state.open}
        linked={state.linked}
        hits={find.byKey}
        onToggle={state.toggle}
        renderOther={(item) => (
          <Other {...{ item, session, overview, files, analysis, show, pin }} onToggleTask={state.toggleTask} />
        )}
      />
    </HotContext>
  );
}

const Named = ({ icon, name }: { icon: React.ReactNode; name: string }) => (
  <>
    {icon}
    {name}
  </>
);

/** Hits by record, and which of them is in view. The first one is gone to by itself. */
function useHits(session: ReadingsProps["session"], text: string, show: ReturnType<typeof useReading>["show"]) {
  const found = useFind(session, text.trim());
  const [at, setAt] = useState(-1);
  const { hits } = found;
  const byKey = useMemo(() => new Map(hits.map((hit) => [`${hit.index}:${hit.line}`, hit])), [hits]);
  const go = useCallback(
    (to: number) => {
      const hit = hits[to];
      if (!hit) return;
      setAt(to);
      show({ file_index: hit.index, line: hit.line });
    },
    [hits, show],
  );
  const any = hits.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when there begin to be hits, or none any more
  useEffect(() => {
    if (any) go(0);
    else setAt(-1);
  }, [any, text]);
  return {
    found,
    at,
    byKey,
    step: (by: 1 | -1) => go((Math.max(0, at) + by + hits.length) % Math.max(1, hits.length)),
  };
}

function useEscape(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && latest.current();
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

interface OtherProps extends Pick<ReadingsProps, "session" | "overview" | "files" | "analysis"> {
  item: Exclude<Item, { kind: "row" }>;
  show: ReturnType<typeof useReading>["show"];
  pin: (span: Span) => void;
  onToggleTask: (task: number, open: boolean) => void;
}

/** What stands between the records. */
function Other({ item, session, overview, files, analysis, show, pin, onToggleTask }: OtherProps) {
  const t = useT();
  const tasks = analysis?.tasks ?? [];
  if (item.kind === "totals") return analysis ? <TraceTotals analysis={analysis} /> : null;
  if (item.kind === "file") {
    const at = files.findIndex(({ index }) => index === item.file);
    const file = files[at];
    return file ? <FileDivider session={session} file={file} before={files[at - 1]} onShow={show} /> : null;
  }
  if (item.kind === "head") {
    return (
      <div className="mx-4 mt-3 md:mx-6">
        <Button size="sm" variant="ghost" aria-expanded={item.open} onClick={() => onToggleTask(HEAD, !item.open)}>
          <ChevronRight
            className={cn("transition-transform duration-120", item.open && "rotate-90")}
            aria-hidden="true"
          />
          <Rows3 aria-hidden="true" />
          {t("timeline.head")}: {t("timeline.records", { count: item.rows })}
        </Button>
      </div>
    );
  }
  const task = tasks[item.task];
  if (!task) return null;
  const newest = tasks.findLast(({ within }) => within === null)?.index === task.index;
  return (
    <TaskCard
      task={task}
      inner={tasks.filter(({ within }) => within === task.index)}
      number={tasks.slice(0, item.task + 1).filter(({ kind }) => kind === "task").length}
      rows={item.rows}
      open={item.open}
      live={newest && overview.state !== "idle"}
      window={overview.context_window}
      onToggle={onToggleTask}
      onPin={pin}
    />
  );
}
