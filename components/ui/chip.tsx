"use client";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";

interface ChipProps {
  children: ReactNode;
  icon?: ReactNode;
  /** With a label for screen readers, the chip can be taken away. */
  onRemove?: () => void;
  removeLabel?: string;
  className?: string;
}

/** A small removable thing: an attachment, a staged choice, a filter. */
export function Chip({ children, icon, onRemove, removeLabel, className }: ChipProps) {
  return (
    <span
      className={cn(
        "inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border bg-surface pl-2.5 text-xs text-dim [&_svg]:size-3.5 [&_svg]:shrink-0",
        onRemove ? "pr-1" : "pr-2.5",
        className,
      )}
    >
      {icon}
      <span className="min-w-0 truncate">{children}</span>
      {onRemove && (
        <button
          type="button"
          onClick={onRemove}
          aria-label={removeLabel}
          className="flex size-6 items-center justify-center rounded-full text-faint hover:bg-hover hover:text-ink"
        >
          <X aria-hidden="true" />
        </button>
      )}
    </span>
  );
}
