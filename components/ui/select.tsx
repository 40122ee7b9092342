"use client";
import { Check, ChevronDown } from "lucide-react";
import { Select as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { fieldStyle } from "./input";

export interface Option<T extends string> {
  value: T;
  label: ReactNode;
  /** A second, quieter line. */
  detail?: ReactNode;
  disabled?: boolean;
}

interface SelectProps<T extends string> {
  value: T;
  onChange: (value: T) => void;
  options: readonly Option<T>[];
  /** Accessible name when no visible label points here. */
  label?: string;
  id?: string;
  placeholder?: string;
  disabled?: boolean;
  /** `chip`: a quiet pill that sits in a row of options. */
  look?: "field" | "chip";
  icon?: ReactNode;
  className?: string;
}

const LOOKS = {
  field: cn(fieldStyle, "flex h-9 items-center justify-between gap-2 text-left text-base data-placeholder:text-faint"),
  chip: "inline-flex h-7 min-w-0 max-w-full items-center gap-1.5 rounded-full border border-line bg-surface px-2.5 text-xs text-dim transition-colors duration-120 hover:border-line-strong hover:text-ink data-[state=open]:border-line-strong data-[state=open]:text-ink disabled:opacity-60",
} as const;

/** Choose one of a short list. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { value, onChange, options, label, id, placeholder, disabled, look = "field", icon, className } = props;
  const chosen = options.find((option) => option.value === value);
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next);
        if (option) onChange(option.value);
      }}
      disabled={disabled}
    >
      <Radix.Trigger id={id} aria-label={label} className={cn(LOOKS[look], className)}>
        {icon && <span className="shrink-0 [&_svg]:size-3.5">{icon}</span>}
        <span className="min-w-0 truncate">
          <Radix.Value placeholder={placeholder}>{chosen?.label}</Radix.Value>
        </span>
        <ChevronDown className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-80 overflow-hidden rounded-lg bg-surface p-1 shadow-float data-[state=open]:animate-fade-in"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled}
                className="flex cursor-default select-none items-start gap-2 rounded-md py-1.5 pr-3 pl-2 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-hover"
              >
                <span className="mt-0.5 flex size-4 shrink-0 items-center justify-center">
                  <Radix.ItemIndicator>
                    <Check className="size-4 text-accent-ink" aria-hidden="true" />
                  </Radix.ItemIndicator>
                </span>
                <span className="min-w-0">
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  {option.detail && <span className="block text-xs text-dim">{option.detail}</span>}
                </span>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
