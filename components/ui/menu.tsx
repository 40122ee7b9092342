"use client";
import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";
import { Kbd } from "./kbd";

const item =
  "flex min-h-8 pointer-coarse:min-h-10 cursor-default select-none items-center gap-2.5 rounded-md px-2 py-1.5 text-sm text-ink outline-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&>svg]:text-dim";

interface MenuProps {
  /** One button. */
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "right" | "left";
  className?: string;
  /** For triggers that must keep focus elsewhere after closing. */
  onCloseAutoFocus?: (event: Event) => void;
}

/** A list of actions that opens from a button. */
export function Menu({ trigger, children, align = "start", side = "bottom", className, onCloseAutoFocus }: MenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={onCloseAutoFocus}
          className={cn(
            "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 overflow-y-auto rounded-lg bg-surface p-1 shadow-float data-[state=open]:animate-fade-in",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps extends ComponentProps<typeof Radix.Item> {
  danger?: boolean;
  shortcut?: string;
}
export function MenuItem({ danger, shortcut, className, children, asChild, ...rest }: MenuItemProps) {
  return (
    <Radix.Item
      asChild={asChild}
      className={cn(item, danger && "text-danger [&>svg]:text-danger", className)}
      {...rest}
    >
      {asChild ? (
        children
      ) : (
        <>
          {children}
          {shortcut && <Kbd className="ml-auto">{shortcut}</Kbd>}
        </>
      )}
    </Radix.Item>
  );
}

interface MenuChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: ReactNode; icon?: ReactNode }[];
  onChange: (value: T) => void;
}
/** One of several values, marked with a tick. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) {
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      <Radix.RadioGroup value={value}>
        {options.map((option) => (
          <Radix.RadioItem
            key={option.value}
            value={option.value}
            onSelect={() => onChange(option.value)}
            className={item}
          >
            {option.icon}
            <span className="min-w-0 flex-1 truncate">{option.label}</span>
            <Radix.ItemIndicator>
              <Check className="text-accent-ink" aria-hidden="true" />
            </Radix.ItemIndicator>
          </Radix.RadioItem>
        ))}
      </Radix.RadioGroup>
    </>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-xs font-medium text-faint">{children}</Radix.Label>;
}
export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
