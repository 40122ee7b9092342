import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import Link from "@/components/ui/link";

interface RailLinkProps {
  href: string;
  here: boolean;
  icon: ReactNode;
  /** What waits there; 0 shows nothing. */
  count?: number;
  children: ReactNode;
}
/** One destination of the rail. */
export function RailLink({ href, here, icon, count = 0, children }: RailLinkProps) {
  return (
    <Link
      href={href}
      aria-current={here ? "page" : undefined}
      className={cn(
        "flex h-8 pointer-coarse:h-10 items-center gap-2.5 rounded-md px-2 text-sm text-dim transition-colors duration-120 hover:bg-hover hover:text-ink [&_svg]:size-4 [&_svg]:shrink-0",
        here && "bg-press font-medium text-ink",
      )}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {count > 0 && <Badge tone="attention">{count}</Badge>}
    </Link>
  );
}
