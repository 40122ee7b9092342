"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import { ErrorState } from "@/components/ui/states";
import { useHydrating } from "@/components/ui/use-hydrating";
import type { SessionRef, TraceRef } from "@/lib/api/routes";
import type { TraceOverview } from "@/lib/api/trace-overview";
import type { TraceHit } from "@/lib/api/trace-search";
import type { RecordAddress } from "@/lib/omni/message";
import { addressKey } from "@/lib/trace/timeline";
import { EventRow } from "./event-row";
import { type Item, itemKey, itemOf } from "./reading";
import { useDrawn } from "./use-drawn";
import { useFlying } from "./use-flying";
import { useFocused, useRowKeys } from "./use-row-keys";
import { useRows } from "./use-rows";

export interface RecordListHandle {
  /** Scrolls to a record if it is in the list. */
  show(address: RecordAddress): boolean;
}

interface RecordListProps {
  handle: RefObject<RecordListHandle | null>;
  session: SessionRef;
  files: TraceOverview["files"];
  items: readonly Item[];
  /** Opened records, by address. */
  open: ReadonlySet<string>;
  linked: RecordAddress | undefined;
  hits: ReadonlyMap<string, TraceHit>;
  onToggle: (address: RecordAddress, open: boolean) => void;
  /** Everything that is no record. */
  renderOther: (item: Exclude<Item, { kind: "row" }>) => ReactNode;
}

const HEIGHTS = { file: 45, totals: 56, head: 48, task: 300 } as const;
/** A closed row, in the reader's font size, and the line below it. */
const ROW_REM = 2.25;
const ROW_LINE = 1;
const USUAL_FONT = 16;
/** What the server draws of a list: about a screen. Pixels. */
const FIRST_SCREEN = { width: 1024, height: 900 };

/** The reading as a list of which only what is in view is in the page, and only those windows are fetched. */
export function RecordList(props: RecordListProps) {
  const { handle, session, files, items, open, linked, hits, onToggle, renderOther } = props;
  const hydrating = useHydrating();
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const { active, setActive, rangeExtractor, onFocus, onBlur } = useFocused();
  const [font] = useState(fontSize);
  const rowHeight = ROW_REM * (hydrating ? USUAL_FONT : font) + ROW_LINE;
  // Only what was opened is measured: each measured size makes the places of all that follows anew.
  const grown = useRef(new Set<string>());
  for (const key of open) grown.current.add(key);
  // The same function as long as the items are the same: a new one makes the places of all of them anew.
  const getItemKey = useCallback((index: number) => keyAt(items, index), [items]);
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey,
    estimateSize: (index) => {
      const kind = items[index]?.kind ?? "row";
      return kind === "row" ? rowHeight : HEIGHTS[kind];
    },
    rangeExtractor,
    initialRect: FIRST_SCREEN,
    overscan: 4,
    paddingEnd: 64,
  });
  // What is in the page until then was placed for another font.
  useLayoutEffect(() => {
    if (!hydrating && font !== USUAL_FONT) list.measure();
  }, [hydrating, font, list]);
  const inView = list.getVirtualItems();
  const shown = inView.flatMap(({ index }) => rowAt(items, index));
  const flying = useFlying(list);
  const rows = useRows(session, files, shown, !flying);
  const loaded = shown.filter(({ file, line }) => rows.rowAt(file, line));
  const drawn = useDrawn(shown.map(itemKey), loaded.map(itemKey), hydrating ? "all" : flying ? "none" : "some");
  const traces = useMemo(
    () => new Map(files.map(({ index }): [number, TraceRef] => [index, { ...session, index }])),
    [files, session],
  );

  useImperativeHandle(handle, () => ({
    show: (address) => {
      const index = itemOf(items, address);
      if (index < 0) return false;
      list.scrollToIndex(index, { align: "center" });
      setActive(addressKey(address));
      return true;
    },
  }));
  const onKeyDown = useRowKeys({ items, list, scroller, rowAt: rows.rowAt, onActive: setActive });
  const first = items
    .slice(list.range?.startIndex ?? 0, (list.range?.endIndex ?? 0) + 1)
    .find(({ kind }) => kind === "row");
  const tabbable = active !== null && inView.some(({ key }) => key === active) ? active : first && itemKey(first);

  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto" data-reading>
      {rows.failure && (
        <ErrorState title={t("trace.rows_failed")} onRetry={rows.retry} className="sticky top-2 z-10 m-4">
          {rows.failure.code === "network" ? t("network") : rows.failure.message}
        </ErrorState>
      )}
      <ol
        aria-label={t("trace.records")}
        className="relative mx-auto w-full max-w-6xl"
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={onBlur}
        style={{ height: list.getTotalSize() }}
      >
        {inView.map((virtual) => {
          const item = items[virtual.index];
          if (!item) return null;
          const told = item.kind === "row" ? rows.rowAt(item.file, item.line) : null;
          const row = told && !drawn.has(itemKey(item)) ? undefined : told;
          // A blank line takes no room.
          const isFixed = item.kind === "row" && row !== null && !grown.current.has(itemKey(item));
          return (
            <li
              key={virtual.key}
              ref={isFixed ? undefined : list.measureElement}
              data-index={virtual.index}
              aria-setsize={items.length}
              aria-posinset={virtual.index + 1}
              className={cn("absolute top-0 left-0 w-full", isFixed && "contain-strict")}
              style={{ transform: `translateY(${virtual.start}px)`, height: isFixed ? rowHeight : undefined }}
            >
              {item.kind === "row" ? (
                <EventRow
                  trace={traces.get(item.file) ?? { ...session, index: item.file }}
                  line={item.line}
                  row={row}
                  open={open.has(itemKey(item))}
                  linked={linked?.file_index === item.file && linked.line === item.line}
                  hit={hits.get(itemKey(item))}
                  tabbable={tabbable === itemKey(item)}
                  hydrating={hydrating}
                  onToggle={onToggle}
                />
              ) : (
                renderOther(item)
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function fontSize(): number {
  if (typeof document === "undefined") return USUAL_FONT;
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || USUAL_FONT;
}

const keyAt = (items: readonly Item[], index: number): string => {
  const item = items[index];
  return item ? itemKey(item) : String(index);
};

function rowAt(items: readonly Item[], index: number): Extract<Item, { kind: "row" }>[] {
  const item = items[index];
  return item?.kind === "row" ? [item] : [];
}
