import { cn } from "@/components/ui/cn";

/** The first letter of a name in a circle: tells people apart before their names are read. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent-ink ring-1 ring-accent-line ring-inset",
        className,
      )}
    >
      {name.slice(0, 1).toLocaleUpperCase()}
    </span>
  );
}
