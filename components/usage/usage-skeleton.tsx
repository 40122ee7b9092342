"use client";
import { useT } from "@/components/ui/language";
import { Skeleton } from "@/components/ui/skeleton";

const CHARTS = ["cost", "tokens", "requests", "success", "cache", "time", "speed"];

/** The page to come, at its size. */
export function UsageSkeleton() {
  const t = useT();
  return (
    <div role="status" aria-label={t("common.loading")} className="flex flex-col gap-5">
      <div className="grid gap-3 md:grid-cols-3">
        {["today", "week", "range"].map((name) => (
          <Skeleton key={name} className="h-28 rounded-lg" />
        ))}
      </div>
      <Skeleton className="h-16 rounded-lg" />
      <Skeleton className="h-22 rounded-lg max-xl:h-44" />
      <div className="grid gap-3 xl:grid-cols-2">
        {CHARTS.map((name, i) => (
          <Skeleton key={name} className={i === 0 ? "h-88 rounded-lg xl:col-span-2" : "h-76 rounded-lg"} />
        ))}
      </div>
    </div>
  );
}
