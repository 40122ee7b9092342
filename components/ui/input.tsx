import type { ComponentProps } from "react";
import { cn } from "./cn";

export const fieldStyle =
  "w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-ink shadow-control outline-offset-0 transition-colors duration-120 placeholder:text-faint hover:border-faint focus-visible:border-accent disabled:cursor-not-allowed disabled:bg-sunken disabled:text-dim aria-invalid:border-danger max-sm:text-lg";

/** One line of text. On a phone the type is 16 px, so that the page does not zoom on focus. */
export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cn(fieldStyle, "h-9 text-base", className)} {...rest} />;
}
