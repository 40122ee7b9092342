"use client";
import { Switch as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";

/** On or off, at once. */
export function Switch({ className, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        "inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-line-strong bg-press p-px transition-colors duration-120 data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50",
        className,
      )}
      {...rest}
    >
      <Radix.Thumb className="size-4 rounded-full bg-white shadow-control transition-transform duration-120 data-[state=checked]:translate-x-4" />
    </Radix.Root>
  );
}
