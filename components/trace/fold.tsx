import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** A titled part that opens. */
export function Fold({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <details className="group/fold">
      <summary className="flex min-h-7 list-none items-center gap-1.5 text-sm font-medium text-dim hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-3.5 transition-transform duration-120 group-open/fold:rotate-90"
          aria-hidden="true"
        />
        {title}
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  );
}
