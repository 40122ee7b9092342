"use client";
import { Button } from "@/components/ui/button";
import { useLanguage, useT } from "@/components/ui/language";
import { ErrorState } from "@/components/ui/states";
import type { ApiFailure } from "@/lib/api/client";
import { errorSentence } from "@/lib/i18n/known";
import { damagedLines } from "./use-import";

/** Lines named before "and … more". */
const NAMED = 8;

interface ImportFailureProps {
  failure: ApiFailure;
  onAnyway: () => void;
  /** Opens a Session that is already there. */
  onOpen: (session: string) => void;
}

/** Why nothing was stored, and what can be done about it. */
export function ImportFailure({ failure, onAnyway, onOpen }: ImportFailureProps) {
  const t = useT();
  const [language] = useLanguage();
  const damaged = damagedLines(failure);
  if (damaged) {
    return (
      <ErrorState
        title={t("import.damaged", { count: damaged.total })}
        action={
          <Button size="sm" onClick={onAnyway}>
            {t("import.anyway")}
          </Button>
        }
      >
        <ul className="my-2 max-h-48 overflow-y-auto">
          {damaged.lines.slice(0, NAMED).map(({ line, error }) => (
            <li key={line} className="tabular">
              {t("import.failed_line", { line, message: error })}
            </li>
          ))}
        </ul>
        {damaged.total > NAMED && <p>{t("import.damaged_more", { count: damaged.total - NAMED })}</p>}
        <p>{t("import.damaged_body")}</p>
      </ErrorState>
    );
  }
  const { line, session_id } = failure.details;
  // The server's own sentence is exact (it names cause and id); the dictionary's is the general one.
  const sentence = failure.code === "network" ? t("network") : failure.message;
  return (
    <ErrorState
      title={language === "en" ? t("import.failed") : errorSentence(language, failure.code, t("import.failed"))}
      action={
        typeof session_id === "string" && (
          <Button size="sm" onClick={() => onOpen(session_id)}>
            {t("import.exists_open")}
          </Button>
        )
      }
    >
      {typeof line === "number" && !sentence.includes(String(line))
        ? t("import.failed_line", { line, message: sentence })
        : sentence}
    </ErrorState>
  );
}
