"use client";
import type { ReactNode } from "react";

interface FloatProps {
  children: ReactNode;
  /** A panel with controls of its own; absent: a plain list that the text box controls. */
  panel?: { label: string; onClose: () => void; onLeave: () => void };
}

/** The surface above the text box: the menu of commands, or what one of them asks. */
export function ComposerFloat({ children, panel }: FloatProps) {
  const look =
    "absolute inset-x-0 bottom-full z-30 mb-2 flex max-h-[min(22rem,45dvh)] max-w-md flex-col overflow-hidden rounded-lg bg-surface shadow-float outline-none animate-fade-in";
  if (!panel) return <div className={look}>{children}</div>;
  return (
    <div
      role="dialog"
      aria-label={panel.label}
      tabIndex={-1}
      className={look}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        panel.onClose();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) panel.onLeave();
      }}
    >
      {children}
    </div>
  );
}
