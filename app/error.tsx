"use client";
import { useEffect } from "react";
import { useT } from "@/components/ui/language";
import { ErrorState } from "@/components/ui/states";

interface PageErrorProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** A view broke while it was drawn. */
export default function PageError({ error, reset }: PageErrorProps) {
  const t = useT();
  useEffect(() => console.error(error), [error]);
  return (
    <div className="mx-auto w-full max-w-lg p-6">
      <ErrorState title={t("common.page_failed")} onRetry={reset}>
        {t("common.page_failed_body")}
        {error.digest && <p className="mt-1 font-mono text-xs">{error.digest}</p>}
      </ErrorState>
    </div>
  );
}
