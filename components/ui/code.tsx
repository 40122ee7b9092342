"use client";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { CopyButton } from "./copy-button";

interface CodeProps {
  children: string;
  /** A quiet title on the left of the bar. */
  title?: ReactNode;
  copyLabel?: string;
  /** Long lines break instead of scrolling. */
  wrap?: boolean;
  className?: string;
}

/** A block of code or plain text with copy. Plain text only: nothing in it is ever interpreted. */
export function Code({ children, title, copyLabel, wrap = true, className }: CodeProps) {
  return (
    <div className={cn("group/code relative overflow-hidden rounded-md border bg-sunken", className)}>
      {title && (
        <div className="flex h-8 items-center border-b pr-9 pl-3 text-xs text-dim">
          <span className="min-w-0 truncate">{title}</span>
        </div>
      )}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className={cn(
          "max-h-96 overflow-auto p-3 pr-10 font-mono text-xs leading-5 -outline-offset-2",
          wrap && "whitespace-pre-wrap",
        )}
      >
        {children}
      </pre>
      <CopyButton text={children} label={copyLabel} className="absolute top-0.5 right-0.5 bg-sunken" />
    </div>
  );
}
