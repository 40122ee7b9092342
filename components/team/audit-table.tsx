"use client";
import { type T, useLanguage, useT } from "@/components/ui/language";
import type { AuditLine } from "@/lib/api/audit";
import { exactTime } from "@/lib/format";
import { accountWords } from "@/lib/i18n/account";
import type { Language } from "@/lib/i18n/t";

/** An act in words; one that has none yet as it was written. */
function actionWords(t: T, action: string): string {
  const key = Object.keys(accountWords).find((known): known is ActionKey => known === `audit.action.${action}`);
  return key ? t(key) : action;
}
type ActionKey = Extract<keyof typeof accountWords, `audit.action.${string}`>;

/** Said only when there is something to say. */
const QUIET = new Set(["damaged", "public", "bundle", "content"]);
type DetailKey = Extract<keyof typeof accountWords, `audit.detail.${string}`>;

/** What else the line says: the name of a detail in words where it has some, and its value. */
function detailsOf(t: T, language: Language, { at: _at, by: _by, action: _action, ...details }: AuditLine) {
  return Object.entries(details)
    .filter(([name, value]) => !(QUIET.has(name) && (value === 0 || value === false)))
    .map(([name, value]) => {
      const key = Object.keys(accountWords).find((known): known is DetailKey => known === `audit.detail.${name}`);
      return { name: key ? t(key) : name, value: valueWords(t, language, value) };
    });
}

function valueWords(t: T, language: Language, value: unknown): string {
  if (typeof value === "boolean") return t(value ? "audit.yes" : "audit.no");
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? exactTime(value, language) : value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return typeof value === "number" ? String(value) : JSON.stringify(value);
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
            <th className="w-56 px-4 py-2 font-medium">{t("audit.when")}</th>
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
                {detailsOf(t, language, entry).map(({ name, value }) => (
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
