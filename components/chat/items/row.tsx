"use client";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

interface FoldProps {
  icon?: ReactNode;
  title: ReactNode;
  /** Small words at the end of the line. */
  aside?: ReactNode;
  open: boolean;
  onToggle: (open: boolean) => void;
  children: ReactNode;
  className?: string;
}

/** One quiet line that opens. Its content is in the page only while it is open. */
export function Fold({ icon, title, aside, open, onToggle, children, className }: FoldProps) {
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => onToggle(!open)}
        className="-mx-1.5 flex min-h-8 w-[calc(100%+0.75rem)] items-center gap-2 rounded-md px-1.5 text-left text-sm text-dim transition-colors duration-120 hover:bg-hover hover:text-ink"
      >
        {icon && <span className="flex shrink-0 [&_svg]:size-4">{icon}</span>}
        <span className="min-w-0 truncate">{title}</span>
        <ChevronRight
          className={cn(
            "size-3.5 shrink-0 text-faint transition-transform duration-120 motion-reduce:transition-none",
            open && "rotate-90",
          )}
          aria-hidden="true"
        />
        {aside && <span className="ml-auto flex shrink-0 items-center gap-2 pl-2 text-xs text-faint">{aside}</span>}
      </button>
      {open && children}
    </div>
  );
}

/** A notice of a machine within the conversation: a line with an icon, no bubble. */
export function Notice({
  icon,
  tone = "quiet",
  children,
  action,
}: {
  icon: ReactNode;
  tone?: "quiet" | "attention" | "danger";
  children: ReactNode;
  action?: ReactNode;
}) {
  const look = {
    quiet: "text-dim",
    attention: "rounded-lg border border-attention-line bg-attention-soft px-3 py-2 text-ink [&>svg]:text-attention",
    danger: "rounded-lg border border-danger-line bg-danger-soft px-3 py-2 text-ink [&>svg]:text-danger",
  }[tone];
  return (
    <div
      className={cn(
        "flex flex-wrap items-start gap-x-2 gap-y-2 text-sm [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0",
        look,
      )}
    >
      {icon}
      <div className="min-w-0 flex-1 basis-40">{children}</div>
      {action && <div className="flex shrink-0 gap-1.5">{action}</div>}
    </div>
  );
}
