"use client";
import { ToggleGroup as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: ReactNode; title?: string }[];
  className?: string;
}

/** Two to five exclusive choices side by side. */
export function Segmented<T extends string>({ label, value, onChange, options, className }: SegmentedProps<T>) {
  return (
    <Radix.Root
      type="single"
      value={value}
      aria-label={label}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next);
        if (option) onChange(option.value);
      }}
      className={cn("inline-flex gap-0.5 rounded-md bg-sunken p-0.5 ring-1 ring-line ring-inset", className)}
    >
      {options.map((option) => (
        <Radix.Item
          key={option.value}
          value={option.value}
          aria-label={option.title}
          title={option.title}
          className="inline-flex h-7 min-w-7 items-center justify-center gap-1.5 rounded-[5px] px-2 text-xs text-dim hover:text-ink data-[state=on]:bg-surface data-[state=on]:font-medium data-[state=on]:text-ink data-[state=on]:shadow-control data-[state=on]:ring-1 data-[state=on]:ring-line [&_svg]:size-3.5"
        >
          {option.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
