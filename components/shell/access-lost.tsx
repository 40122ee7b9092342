"use client";
import { DoorClosed } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { EmptyState } from "@/components/ui/states";

/** Stands in the place of everything when the right to a Project ended while it was open. */
export function AccessLost() {
  const t = useT();
  return (
    <main className="flex min-h-[70dvh] flex-1 flex-col justify-center">
      <h1 className="sr-only">{t("access.lost")}</h1>
      <div role="alert">
        <EmptyState
          icon={<DoorClosed aria-hidden="true" />}
          title={t("access.lost")}
          // A new document: nothing of the pages before stays in memory.
          action={<Button onClick={() => location.assign("/")}>{t("access.go_on")}</Button>}
        >
          {t("access.lost_body")}
        </EmptyState>
      </div>
    </main>
  );
}
