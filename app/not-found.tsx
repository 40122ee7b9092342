"use client";
import { FileQuestion } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { EmptyState } from "@/components/ui/states";

/** The same page for what does not exist and for what one may not see. */
export default function NotFound() {
  const t = useT();
  return (
    <main className="flex min-h-[70dvh] flex-1 flex-col justify-center">
      <h1 className="sr-only">{t("common.not_found")}</h1>
      <EmptyState
        icon={<FileQuestion aria-hidden="true" />}
        title={t("common.not_found")}
        action={
          <Button asChild>
            <Link href="/">{t("common.back_home")}</Link>
          </Button>
        }
      >
        {t("common.not_found_body")}
      </EmptyState>
    </main>
  );
}
