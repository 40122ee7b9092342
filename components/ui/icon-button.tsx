"use client";
import { Button, type ButtonProps } from "./button";
import { cn } from "./cn";
import { Tooltip } from "./tooltip";

const SIZES = { sm: "size-7 [&_svg]:size-4", md: "size-8 [&_svg]:size-4", lg: "size-10 [&_svg]:size-5" } as const;

export interface IconButtonProps extends Omit<ButtonProps, "size"> {
  /** What it does: the accessible name and the tooltip. */
  label: string;
  size?: keyof typeof SIZES;
  side?: "top" | "right" | "bottom" | "left";
  /** Shown in the tooltip behind the label. */
  shortcut?: string;
}

/** A button with only an icon. Its label is always spoken and shown on hover and focus. */
export function IconButton({
  label,
  size = "md",
  side,
  shortcut,
  variant = "ghost",
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} side={side} shortcut={shortcut}>
      <Button aria-label={label} variant={variant} className={cn("px-0!", SIZES[size], className)} {...rest} />
    </Tooltip>
  );
}
