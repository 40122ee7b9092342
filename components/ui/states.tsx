"use client";
import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { cn } from "./cn";
import { useT } from "./language";

interface EmptyStateProps {
  icon?: ReactNode;
  title: ReactNode;
  /** Why it is empty and what will appear. */
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** Nothing here: says what will appear, why it is empty, and offers one main action. */
export function EmptyState({ icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cn("mx-auto flex max-w-md flex-col items-center px-4 py-12 text-center", className)}>
      {icon && (
        <div className="mb-3 flex size-10 items-center justify-center rounded-lg border bg-sunken text-dim [&_svg]:size-5">
          {icon}
        </div>
      )}
      <p className="text-base font-medium">{title}</p>
      {children && <div className="mt-1 text-sm text-dim">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  /** What failed. */
  title: ReactNode;
  /** Why, and what can be done. */
  children?: ReactNode;
  onRetry?: () => void;
  action?: ReactNode;
  className?: string;
}

/** Something failed: what, why, and what to do now. */
export function ErrorState({ title, children, onRetry, action, className }: ErrorStateProps) {
  const t = useT();
  return (
    <div
      role="alert"
      className={cn("flex items-start gap-3 rounded-lg border border-danger-line bg-danger-soft px-4 py-3", className)}
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium text-ink">{title}</p>
        {children && <div className="mt-0.5 text-sm text-dim">{children}</div>}
        {(onRetry || action) && (
          <div className="mt-3 flex flex-wrap gap-2">
            {onRetry && (
              <Button size="sm" onClick={onRetry}>
                <RotateCw aria-hidden="true" />
                {t("common.retry")}
              </Button>
            )}
            {action}
          </div>
        )}
      </div>
    </div>
  );
}
