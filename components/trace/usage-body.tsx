"use client";
import { useT } from "@/components/ui/language";
import type { WordKey } from "@/lib/i18n/areas";
import { type Fields, isObject, numberField } from "@/lib/trace/fields";
import { KeyList } from "./key-list";

const COLUMNS = [
  ["cache_read", "trace.tokens_cache_read"],
  ["cache_write", "trace.tokens_cache_write"],
  ["output", "trace.tokens_output"],
  ["total", "trace.tokens_total"],
] as const satisfies [string, WordKey][];

const ROWS = [
  ["request", "trace.tokens_request"],
  ["session", "trace.tokens_session"],
] as const satisfies [string, WordKey][];

const number = new Intl.NumberFormat("en");

/** Tokens of a Request and of the Session so far, as a table, with the price that was in force. */
export function UsageBody({ fields }: { fields: Fields }) {
  const t = useT();
  const { request: _, session: __, ...rest } = fields;
  return (
    <>
      <div className="overflow-x-auto">
        <table className="tabular text-sm">
          <thead>
            <tr className="text-xs text-dim">
              <td />
              {COLUMNS.map(([key, words]) => (
                <th key={key} scope="col" className="py-1 pl-6 text-right font-medium">
                  {t(words)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map(([name, words]) => {
              const counts = fields[name];
              if (!isObject(counts)) return null;
              return (
                <tr key={name} className="border-t">
                  <th scope="row" className="py-1 text-left font-normal text-dim">
                    {t(words)}
                  </th>
                  {COLUMNS.map(([key]) => (
                    <td key={key} className="py-1 pl-6 text-right font-mono text-xs">
                      {numberField(counts, key) === null ? "–" : number.format(numberField(counts, key) ?? 0)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <KeyList fields={rest} />
    </>
  );
}
