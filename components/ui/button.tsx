"use client";
import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { Spinner } from "./spinner";

export const buttonStyle = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-colors duration-120 disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-accent text-on-accent shadow-control hover:bg-accent-hover",
        secondary: "border border-line-strong bg-surface text-ink shadow-control hover:bg-hover active:bg-press",
        ghost: "text-dim hover:bg-hover hover:text-ink active:bg-press data-[state=open]:bg-hover",
        danger: "border border-danger-line bg-danger-soft text-danger hover:border-danger",
        link: "h-auto! px-0! text-accent-ink underline-offset-4 hover:underline",
      },
      size: {
        sm: "h-7 px-2.5 text-xs [&_svg]:size-3.5",
        md: "h-8 px-3 text-sm",
        lg: "h-10 px-4 text-base",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonStyle> {
  /** Render the child (a link) with the look of a button. */
  asChild?: boolean;
  /** Shows a spinner and refuses clicks; the width stays. */
  busy?: boolean;
}

/** A verb that can be pressed. */
export function Button({ asChild, busy, variant, size, className, children, disabled, type, ...rest }: ButtonProps) {
  const look = cn(buttonStyle({ variant, size }), className);
  if (asChild)
    return (
      <Slot.Root className={look} {...rest}>
        {children}
      </Slot.Root>
    );
  return (
    <button
      type={type ?? "button"}
      className={look}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
