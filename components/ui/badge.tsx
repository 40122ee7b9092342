import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "./cn";

const badgeStyle = cva(
  "inline-flex max-w-full shrink-0 items-center gap-1 rounded-full border px-2 text-xs font-medium leading-4.5 [&_svg]:size-3",
  {
    variants: {
      tone: {
        neutral: "border-line bg-sunken text-dim",
        accent: "border-accent-line bg-accent-soft text-accent-ink",
        good: "border-good-line bg-good-soft text-good",
        attention: "border-attention-line bg-attention-soft text-attention",
        danger: "border-danger-line bg-danger-soft text-danger",
        info: "border-info-line bg-info-soft text-info",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);
export type Tone = NonNullable<VariantProps<typeof badgeStyle>["tone"]>;

/** A short word about the thing beside it. Colour is never the only difference: the word says it. */
export function Badge({ tone, className, ...rest }: ComponentProps<"span"> & { tone?: Tone }) {
  return <span className={cn(badgeStyle({ tone }), className)} {...rest} />;
}
