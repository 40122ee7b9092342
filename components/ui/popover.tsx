"use client";
import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";

interface PopoverProps {
  /** One button. */
  trigger: ReactNode;
  children: ReactNode;
  /** Accessible name of the floating part. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "right" | "left";
  className?: string;
}

/** A small floating surface with its own controls. */
export function Popover({
  trigger,
  children,
  label,
  open,
  onOpenChange,
  align = "start",
  side = "bottom",
  className,
}: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={cn(
            "z-50 max-h-(--radix-popover-content-available-height) w-80 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg bg-surface p-3 shadow-float outline-none data-[state=open]:animate-fade-in",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
