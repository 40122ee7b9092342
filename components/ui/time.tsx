"use client";
import { useEffect, useState } from "react";
import { exactTime, relativeTime } from "@/lib/format";
import { useLanguage } from "./language";
import { Tooltip } from "./tooltip";

interface TimeProps {
  /** ISO 8601. */
  at: string;
  className?: string;
}

/** A time as a person says it; the exact value and zone on hover and focus. */
export function Time({ at, className }: TimeProps) {
  const [language] = useLanguage();
  const now = useNow();
  const exact = exactTime(at, language);
  return (
    <Tooltip text={exact}>
      <time dateTime={at} className={className} suppressHydrationWarning>
        {now === null ? exact : relativeTime(at, now, language)}
      </time>
    </Tooltip>
  );
}

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
