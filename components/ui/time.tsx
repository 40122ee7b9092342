"use client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { exactTime, relativeTime } from "@/lib/format";
import { useLanguage } from "./language";
import { Tooltip } from "./tooltip";

/** Of an ISO date. */
const DAY_LENGTH = "2026-01-31".length;

interface TimeProps {
  /** ISO 8601. */
  at: string;
  className?: string;
}

/** A time as a person says it; the exact value and zone on hover and focus. */
export function Time({ at, className }: TimeProps) {
  const [language] = useLanguage();
  const said = useSyncExternalStore(
    listen,
    () => relativeTime(at, present(), language),
    // The server knows neither the reader's zone nor when it is read.
    () => at.slice(0, DAY_LENGTH),
  );
  return (
    <Tooltip text={<Exact at={at} language={language} />}>
      <time dateTime={at} className={className} suppressHydrationWarning>
        {said}
      </time>
    </Tooltip>
  );
}

/** Only when it is looked at: the first one of a page takes the browser long. */
const Exact = ({ at, language }: { at: string; language: string }) => exactTime(at, language);

/** One clock for all times of a page: there may be hundreds. Milliseconds. */
const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;
let ticked = 0;

function listen(changed: () => void): () => void {
  listeners.add(changed);
  ticked = ticking ? ticked : Date.now();
  ticking ??= setInterval(() => {
    ticked = Date.now();
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(changed);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

const present = () => (ticking ? ticked : Date.now());

/** The present in ms, once a minute; null while rendering on the server. */
export function useNow(everyMs = 60_000): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
