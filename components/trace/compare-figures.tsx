"use client";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import type { ComparedSide, TraceComparison } from "@/lib/api/trace-compare";
import { duration, money, shortCount } from "@/lib/format";
import type { WordKey } from "@/lib/i18n/areas";

const ROWS: { words: WordKey; of: (side: ComparedSide) => number | null; show: (value: number) => string }[] = [
  { words: "compare.tasks", of: (side) => side.tasks, show: String },
  { words: "compare.requests", of: (side) => side.requests, show: String },
  { words: "compare.calls", of: (side) => side.calls, show: String },
  { words: "compare.steps", of: (side) => side.steps, show: String },
  { words: "compare.input", of: ({ tokens }) => tokens.cache_read + tokens.cache_write, show: shortCount },
  { words: "compare.output", of: ({ tokens }) => tokens.output, show: shortCount },
  { words: "compare.cost", of: (side) => side.usd, show: money },
  { words: "compare.time", of: (side) => side.elapsed_ms, show: duration },
];

/** Figures of both, and what lies between them. */
export function CompareFigures({ project, data }: { project: string; data: TraceComparison }) {
  const t = useT();
  const head = (side: ComparedSide, words: WordKey) => (
    <th scope="col" className="px-2 py-2 text-right font-medium wrap-anywhere md:px-3">
      <span className="block text-xs text-dim">{t(words)}</span>
      <Link
        href={places.trace({ project, agent: side.agent, session: side.session_id, index: side.index })}
        className="line-clamp-2 hover:underline"
      >
        {side.title ?? side.session_id}
      </Link>
      <span className="block text-xs font-normal text-faint">
        {[side.provider, side.model_id].filter(Boolean).join("/")}
      </span>
    </th>
  );
  return (
    <div className="overflow-x-auto rounded-lg border">
      <table className="tabular w-full text-sm">
        <thead>
          <tr className="bg-rail align-top">
            <td />
            {head(data.left, "compare.left")}
            {head(data.right, "compare.right")}
            <th scope="col" className="px-2 py-2 text-right text-xs font-medium whitespace-nowrap text-dim md:px-3">
              {t("compare.difference")}
            </th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ words, of, show }) => {
            const [left, right] = [of(data.left), of(data.right)];
            const known = (value: number | null) => (value === null ? t("timeline.no_price") : show(value));
            return (
              <tr key={words} className="border-t">
                <th scope="row" className="px-2 py-1.5 text-left font-normal break-normal text-dim md:px-3">
                  {t(words)}
                </th>
                <td className="px-2 py-1.5 text-right whitespace-nowrap md:px-3">{known(left)}</td>
                <td className="px-2 py-1.5 text-right whitespace-nowrap md:px-3">{known(right)}</td>
                <td className="px-2 py-1.5 text-right whitespace-nowrap md:px-3">
                  {left === null || right === null ? "–" : difference(right - left, show)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function difference(value: number, show: (value: number) => string): string {
  if (value === 0) return "0";
  return `${value > 0 ? "+" : "−"}${show(Math.abs(value))}`;
}
