"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { useT } from "@/components/ui/language";
import { SkeletonLines } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states";
import type { TraceRef } from "@/lib/api/routes";
import { EventRow } from "./event-row";
import { useTraceRows } from "./use-trace-rows";

interface EventListProps {
  trace: TraceRef;
  /** The linked record: opened, highlighted and scrolled to. */
  line?: number;
  onTotal: (lines: number) => void;
}

/** Every line of one file. Only the rows in view are in the page, and only the windows in view are fetched. */
export function EventList({ trace, line, onTotal }: EventListProps) {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ first: Math.max(0, (line ?? 1) - 1), last: (line ?? 1) + 30 });
  const rows = useTraceRows(trace, view.first, view.last, line ?? 1);
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(line ? [line] : []));
  const [active, setActive] = useState(Math.max(0, (line ?? 1) - 1));

  const list = useVirtualizer({
    count: rows.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => 36,
    overscan: 12,
    paddingEnd: 48,
    onChange: (instance) => {
      const { startIndex, endIndex } = instance.range ?? { startIndex: 0, endIndex: 30 };
      setView((now) =>
        now.first === startIndex && now.last === endIndex ? now : { first: startIndex, last: endIndex },
      );
    },
  });

  useEffect(() => onTotal(rows.total), [rows.total, onTotal]);
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current || rows.total === 0 || !line) return;
    arrived.current = true;
    list.scrollToIndex(Math.min(line, rows.total) - 1, { align: "center" });
  }, [rows.total, line, list]);

  const toggle = useCallback((at: number, opens: boolean) => {
    setOpen((now) => {
      const next = new Set(now);
      if (opens) next.add(at);
      else next.delete(at);
      return next;
    });
    setActive(at - 1);
    nameInAddress(opens ? at : undefined);
  }, []);
  const { total } = rows;
  const move = useCallback(
    (event: KeyboardEvent<HTMLButtonElement>, from: number) => {
      const to = moved(event.key, from, total);
      if (to === null) return;
      event.preventDefault();
      setActive(to);
      list.scrollToIndex(to, { align: "auto" });
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus());
    },
    [total, list],
  );

  if (rows.failure) {
    return (
      <ErrorState title={t("trace.file_failed")} onRetry={rows.retry} className="m-4 md:m-6">
        {rows.failure.code === "network" ? t("network") : rows.failure.message}
      </ErrorState>
    );
  }
  if (rows.pending) return <SkeletonLines lines={8} label={t("common.loading")} className="p-6" />;
  if (rows.total === 0) return <EmptyState title={t("trace.empty_file")} />;
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
      {rows.windowFailure && (
        <ErrorState title={t("trace.rows_failed")} onRetry={rows.retry} className="sticky top-2 z-10 m-4">
          {rows.windowFailure.code === "network" ? t("network") : rows.windowFailure.message}
        </ErrorState>
      )}
      <ol
        aria-label={t("trace.records")}
        className="relative mx-auto w-full max-w-6xl"
        style={{ height: list.getTotalSize() }}
      >
        {list.getVirtualItems().map((item) => (
          <li
            key={item.key}
            ref={list.measureElement}
            data-index={item.index}
            aria-setsize={rows.total}
            aria-posinset={item.index + 1}
            className="absolute top-0 left-0 w-full"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <EventRow
              trace={trace}
              line={item.index + 1}
              row={rows.rowAt(item.index)}
              open={open.has(item.index + 1)}
              linked={line === item.index + 1}
              tabbable={active === item.index}
              onToggle={toggle}
              onMove={move}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

function moved(key: string, from: number, total: number): number | null {
  const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: total - 1 }[key];
  return to === undefined ? null : Math.max(0, Math.min(total - 1, to));
}

/** The address bar names the record opened last, so that the address can be handed on. */
function nameInAddress(line: number | undefined): void {
  const url = new URL(location.href);
  if (line) url.searchParams.set("line", String(line));
  else url.searchParams.delete("line");
  history.replaceState(history.state, "", url);
}
