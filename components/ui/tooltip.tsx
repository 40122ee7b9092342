"use client";
import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./kbd";

export const TooltipProvider = Radix.Provider;

interface TooltipProps {
  text: ReactNode;
  /** One focusable element. */
  children: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
  shortcut?: string;
}

/** A short explanation on hover and on focus. Never the only place of an information. */
export function Tooltip({ text, children, side = "top", shortcut }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-page data-[state=delayed-open]:animate-fade-in"
        >
          {text}
          {shortcut && <Kbd className="border-page/30 bg-transparent text-page/80">{shortcut}</Kbd>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
