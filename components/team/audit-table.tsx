"use client";
import { type T, useLanguage, useT } from "@/components/ui/language";
import type { AuditLine } from "@/lib/api/audit";
import { exactTime } from "@/lib/format";
import { accountWords } from "@/lib/i18n/account";

/** An act in words; one that has none yet as it was written. */
function actionWords(t: T, action: string): string {
  const key = Object.keys(accountWords).find((known): known is ActionKey => known === `audit.action.${action}`);
  return key ? t(key) : action;
}
type ActionKey = Extract<keyof typeof accountWords, `audit.action.${string}`>;

/** What else the line says, as `name: value`. */
export function detailsOf({ at: _at, by: _by, action: _action, ...details }: AuditLine): [string, string][] {
  return Object.entries(details).map(([name, value]) => [
    name,
    Array.isArray(value)
      ? value.map(String).join(", ")
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value),
  ]);
}

/** Lines of the audit log: a table, or one under the other on a phone. */
export function AuditTable({ entries }: { entries: readonly AuditLine[] }) {
  const t = useT();
  const [language] = useLanguage();
  return (
    <div className="rounded-lg border bg-surface">
      <table className="w-full table-fixed text-sm max-sm:block">
        <thead className="max-sm:sr-only">
          <tr className="border-b text-left text-xs text-dim">
            <th className="w-60 px-4 py-2 font-medium">{t("audit.when")}</th>
            <th className="w-28 px-2 py-2 font-medium">{t("audit.who")}</th>
            <th className="w-44 px-2 py-2 font-medium">{t("audit.what")}</th>
            <th className="px-2 py-2 font-medium">{t("audit.details")}</th>
          </tr>
        </thead>
        <tbody className="divide-y max-sm:block">
          {entries.map((entry, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: older ones are only ever added behind
            <tr key={i} className="align-baseline max-sm:flex max-sm:flex-wrap max-sm:gap-x-3 max-sm:px-4 max-sm:py-2">
              <td className="tabular px-4 py-2 text-xs text-dim max-sm:w-full max-sm:p-0">
                <time dateTime={entry.at}>{exactTime(entry.at, language)}</time>
              </td>
              <td className="truncate px-2 py-2 font-mono text-xs max-sm:p-0">{entry.by}</td>
              <td className="px-2 py-2 max-sm:p-0">{actionWords(t, entry.action)}</td>
              <td className="px-2 py-2 text-xs text-dim wrap-anywhere max-sm:w-full max-sm:p-0">
                {detailsOf(entry).map(([name, value]) => (
                  <span key={name} className="mr-3">
                    <span className="text-faint">{name}</span> <span className="font-mono">{value}</span>
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
