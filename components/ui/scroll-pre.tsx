"use client";
import type { ComponentProps, ReactNode, Ref } from "react";
import { cn } from "./cn";

interface ScrollPreProps {
  label: string;
  className?: string;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
  onScroll?: () => void;
}

/** Monospaced text in its own scrolling region, which the keyboard can reach. */
export function ScrollPre({ label, className, children, ref, onScroll }: ScrollPreProps) {
  return (
    <section
      ref={ref}
      onScroll={onScroll}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className={cn("overflow-auto px-3 py-2 font-mono text-xs leading-5 -outline-offset-2", className)}
    >
      <pre className="whitespace-pre-wrap font-mono">{children}</pre>
    </section>
  );
}

/** A figure whose explanation opens on focus. */
export function Explained({ className, ...rest }: ComponentProps<"span">) {
  return (
    <span
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation opens on focus
      tabIndex={0}
      className={cn("tabular rounded-xs", className)}
      {...rest}
    />
  );
}
