"use client";
/** The keys of a long list of records. The focus goes along, also to a row that has to be fetched first. */
import { defaultRangeExtractor, type Range, type Virtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { RecordAddress } from "@/lib/omni/message";
import { type Item, itemKey, itemOf, nextRow } from "./reading";

type List = Virtualizer<HTMLDivElement, Element>;

/** What holds the focus stays in the page wherever the list is scrolled to: a focus that is gone takes the keys along. */
export function useFocused() {
  const [kept, setKept] = useState<number | null>(null);
  const [active, setActive] = useState<string | null>(null);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (kept === null || kept >= range.count || indexes.includes(kept)) return indexes;
      return [...indexes, kept].sort((a, b) => a - b);
    },
    [kept],
  );
  const onFocus = useCallback(({ target }: FocusEvent) => {
    const item = target.closest("[data-index]");
    setKept(item instanceof HTMLElement ? Number(item.dataset.index) : null);
    if (target instanceof HTMLElement && target.dataset.row) setActive(target.dataset.row);
  }, []);
  const onBlur = useCallback(() => setKept(null), []);
  return { active, setActive, rangeExtractor, onFocus, onBlur };
}

interface RowKeys {
  items: readonly Item[];
  list: List;
  scroller: RefObject<HTMLElement | null>;
  /** null: a blank line, which nothing can be done with; undefined: not loaded yet. */
  rowAt: (file: number, line: number) => object | null | undefined;
  onActive: (key: string) => void;
}
/** The row that the keys lead to, as long as it is not there; `from` has the focus until then. */
interface Aim {
  from: Element;
  to: number;
  way: 1 | -1;
}

export function useRowKeys({ items, list, scroller, rowAt, onActive }: RowKeys) {
  const going = useRef<Aim | null>(null);
  const go = (from: Element, to: number | null, way: 1 | -1) => {
    const item = to === null ? undefined : items[to];
    going.current = to === null ? null : { from, to, way };
    if (to === null || !item) return;
    onActive(itemKey(item));
    list.scrollToIndex(to, { align: "auto" });
  };
  // Each time the list is drawn: what the focus waits for may be there now.
  useEffect(() => {
    const aim = going.current;
    const item = aim ? items[aim.to] : undefined;
    if (!aim || item?.kind !== "row") return;
    if (document.activeElement !== aim.from) {
      going.current = null;
      return;
    }
    if (rowAt(item.file, item.line) === null) return go(aim.from, nextRow(items, aim.to, aim.way), aim.way);
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${itemKey(item)}"]`);
    if (!row) return;
    going.current = null;
    row.focus({ preventScroll: true });
  });

  return (event: KeyboardEvent) => {
    const row = event.target instanceof HTMLElement ? event.target : null;
    const address = addressOf(row?.dataset.row);
    const way = WAYS[event.key];
    if (!row || !address || !way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const from = going.current?.to ?? itemOf(items, address);
    const to = moved(event.key, items, from, list);
    if (to !== null && to !== from) go(row, to, way);
  };
}

function addressOf(key: string | undefined): RecordAddress | null {
  const [file_index, line] = (key ?? "").split(":").map(Number);
  return file_index === undefined || line === undefined ? null : { file_index, line };
}

/** The keys, and in which direction to go on from a line that turns out to be blank. */
const WAYS: Partial<Record<string, 1 | -1>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 1,
  PageUp: -1,
  Home: 1,
  End: -1,
};

/** Where a key leads: over everything that is no record. */
function moved(key: string, items: readonly Item[], from: number, list: List): number | null {
  const first = () => nextRow(items, -1, 1);
  const last = () => nextRow(items, items.length, -1);
  switch (key) {
    case "ArrowDown":
      return nextRow(items, from, 1);
    case "ArrowUp":
      return nextRow(items, from, -1);
    case "PageDown":
      return nextRow(items, Math.max(from, aScreenFrom(from, 1, list) - 1), 1) ?? last();
    case "PageUp":
      return nextRow(items, Math.min(from, aScreenFrom(from, -1, list) + 1), -1) ?? first();
    case "Home":
      return first();
    default:
      return last();
  }
}

/** The item that is about a screen above or below another. */
function aScreenFrom(from: number, way: 1 | -1, list: List): number {
  const { start = 0, size = 0 } = list.measurementsCache[from] ?? {};
  const screen = Math.max(size, (list.scrollRect?.height ?? 0) - 2 * size);
  return list.getVirtualItemForOffset(Math.max(0, start + way * screen))?.index ?? from;
}
