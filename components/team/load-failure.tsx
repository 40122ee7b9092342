"use client";
import { useErrorText, useT } from "@/components/ui/language";
import { ErrorState } from "@/components/ui/states";
import { failureFrom } from "@/lib/api/client";

/** What a page needs could not be read: why, and another try. */
export function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useT();
  const words = useErrorText();
  return (
    <ErrorState title={t("team.failed")} onRetry={onRetry}>
      {words(failureFrom(error))}
    </ErrorState>
  );
}
