import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";

const TONES = {
  info: ["border-info-line bg-info-soft", "text-info", Info],
  attention: ["border-attention-line bg-attention-soft", "text-attention", TriangleAlert],
  danger: ["border-danger-line bg-danger-soft", "text-danger", CircleAlert],
  good: ["border-good-line bg-good-soft", "text-good", CircleCheck],
} as const;

interface BannerProps {
  tone?: keyof typeof TONES;
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** One sentence about the page as a whole, with at most one thing to do. */
export function Banner({ tone = "info", children, action, className }: BannerProps) {
  const [box, colour, Icon] = TONES[tone];
  return (
    <div
      className={cn("flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border px-3 py-2 text-sm", box, className)}
    >
      <Icon className={cn("size-4 shrink-0 self-start mt-0.5", colour)} aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-64 text-ink">{children}</div>
      {action}
    </div>
  );
}
