import type { ComponentProps } from "react";
import { cn } from "./cn";
import { fieldStyle } from "./input";

/** Several lines of text; grows with its content where the browser can. */
export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea className={cn(fieldStyle, "field-sizing-content min-h-16 py-2 text-base", className)} {...rest} />;
}
