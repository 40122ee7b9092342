import type { ReactNode } from "react";
import { cn } from "./cn";

/** A key of the keyboard. */
export function Kbd({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      className={cn(
        "inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-xs border border-line-strong bg-sunken px-1 font-sans text-xs leading-none text-dim",
        className,
      )}
    >
      {children}
    </kbd>
  );
}
