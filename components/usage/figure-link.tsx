"use client";
import type { MouseEvent, ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import type { Rows } from "./filters";
import { useOpenable } from "./use-address";

interface FigureLinkProps {
  /** The rows that the figure is made of. */
  rows: Rows;
  /** Says what opens, where the figure alone does not. */
  label?: string;
  className?: string;
  children: ReactNode;
}

/** A figure that opens to the rows it is made of: a real link, so that it can be copied or opened in a new tab. */
export function FigureLink({ rows, label, className, children }: FigureLinkProps) {
  const address = useOpenable();
  if (!address) return <span>{children}</span>;
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    address.open(rows);
  };
  return (
    <a
      href={address.hrefOf(rows)}
      onClick={onClick}
      aria-label={label}
      className={cn("rounded-xs underline-offset-4 hover:underline", className)}
    >
      {children}
    </a>
  );
}
