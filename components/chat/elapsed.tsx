"use client";
import { useEffect, useState } from "react";
import { duration } from "@/lib/format";

/** Time since an ISO time, ticking on its own so that nothing else is drawn again. */
export function Elapsed({ since, extraMs = 0 }: { since: string; extraMs?: number }) {
  const now = useTick(1_000);
  const ms = now === null ? 0 : Math.max(0, now - Date.parse(since));
  return <span className="tabular">{duration(Math.floor((ms + extraMs) / 1000) * 1000 || 0)}</span>;
}

/** Seconds until an ISO time, never below zero. */
export function Countdown({ until }: { until: string }) {
  const now = useTick(500);
  const ms = now === null ? 0 : Math.max(0, Date.parse(until) - now);
  return <span className="tabular">{Math.ceil(ms / 1000)} s</span>;
}

function useTick(everyMs: number): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
