import { cn } from "./cn";

/** Stands where content will be. Invisible for its first 200 ms. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={cn("animate-late rounded-md", className)}>
      <div className="size-full animate-pulse-soft rounded-[inherit] bg-press" />
    </div>
  );
}

/** Several lines of text to come. */
export function SkeletonLines({ lines = 3, label, className }: { lines?: number; label: string; className?: string }) {
  const widths = ["w-full", "w-4/5", "w-11/12", "w-3/5"];
  return (
    <div role="status" aria-label={label} className={cn("flex flex-col gap-3", className)}>
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no identity
        <Skeleton key={i} className={cn("h-4", widths[i % widths.length])} />
      ))}
    </div>
  );
}
