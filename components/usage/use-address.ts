"use client";
import { useSearchParams } from "next/navigation";
import { createContext, useCallback, useContext, useEffect, useMemo, useRef } from "react";
import { addressOf, type Filters, NO_FILTERS, type Rows, readFilters, readRows } from "./filters";

export interface Address {
  filters: Filters;
  rows: Rows | null;
  /** Filters change: a step of the browser's history. Open rows are closed. */
  set: (change: Partial<Filters>) => void;
  clear: () => void;
  open: (rows: Rows) => void;
  close: () => void;
  /** Where `open` leads. */
  hrefOf: (rows: Rows) => string;
}

/** The address bar holds what is asked for: it can be shared, reloaded and stepped back. Without a zone it is not yet known. */
export function useAddress(): Address {
  const params = useSearchParams();
  const text = params.toString();
  const filters = useMemo(() => readFilters(new URLSearchParams(text)), [text]);
  const rows = useMemo(() => readRows(new URLSearchParams(text)), [text]);
  const opened = useRef(false);
  // Somebody elsewhere who opens the same address must see the same days. The router listens to the history only
  // after the effects of its first render: a change in one of them would not be seen.
  useEffect(() => {
    if (filters.tz !== "") return;
    const timer = setTimeout(() => go({ ...filters, tz: localZone() }, rows, "replace"));
    return () => clearTimeout(timer);
  }, [filters, rows]);

  const set = useCallback((change: Partial<Filters>) => go({ ...filters, ...change }, null), [filters]);
  const clear = useCallback(
    () => go({ ...NO_FILTERS, tz: filters.tz, range: filters.range, from: filters.from, to: filters.to }, null),
    [filters],
  );
  const open = useCallback(
    (next: Rows) => {
      opened.current = true;
      go(filters, next);
    },
    [filters],
  );
  const close = useCallback(() => {
    if (opened.current) history.back();
    else go(filters, null, "replace");
    opened.current = false;
  }, [filters]);
  const hrefOf = useCallback((next: Rows) => `?${addressOf(filters, next)}`, [filters]);
  return useMemo(
    () => ({ filters, rows, set, clear, open, close, hrefOf }),
    [filters, rows, set, clear, open, close, hrefOf],
  );
}

function go(filters: Filters, rows: Rows | null, how: "push" | "replace" = "push"): void {
  const url = `${location.pathname}?${addressOf(filters, rows)}`;
  if (how === "push") history.pushState(null, "", url);
  else history.replaceState(null, "", url);
}

export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

const Context = createContext<Address | null>(null);
export const AddressProvider = Context.Provider;

/** What is asked for on this page; null where figures cannot be opened. */
export function useOpenable(): Address | null {
  return useContext(Context);
}
