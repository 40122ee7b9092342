import { type ReactNode, useId } from "react";
import { cn } from "./cn";

interface SectionProps {
  title: ReactNode;
  /** One sentence about it. */
  lead?: ReactNode;
  /** At the right of the title. */
  action?: ReactNode;
  children: ReactNode;
  /** What happens here cannot be undone. */
  danger?: boolean;
  className?: string;
}

/** One subject of a settings page: a heading, a sentence, a card. */
export function Section({ title, lead, action, children, danger, className }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-2 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id={id} className="text-sm font-semibold">
            {title}
          </h2>
          {lead && <p className="mt-0.5 max-w-[72ch] text-sm text-dim">{lead}</p>}
        </div>
        {action}
      </div>
      <div className={cn("min-w-0 rounded-lg border bg-surface", danger && "border-danger-line", className)}>
        {children}
      </div>
    </section>
  );
}

/** A page of such sections in one column. */
export function SectionPage({ children }: { children: ReactNode }) {
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-4xl flex-col gap-7 px-4 py-5 md:px-6">{children}</div>
    </div>
  );
}
