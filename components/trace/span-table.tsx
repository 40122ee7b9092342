"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { duration } from "@/lib/format";
import type { Span, TaskTimeline } from "@/lib/trace/timeline";
import { howWords, kindWord, LOOKS, laneWord } from "./span-look";

/** Rows before "Show all". */
const FIRST = 200;

/** The chart as a table: the same spans, with their figures. */
export function SpanTable({ timeline, onPin }: { timeline: TaskTimeline; onPin: (span: Span) => void }) {
  const t = useT();
  const [all, setAll] = useState(false);
  const lanes = new Map(timeline.lanes.map((lane) => [lane.id, laneWord(t, lane)]));
  const { spans, from } = timeline;
  const shown = all ? spans : spans.slice(0, FIRST);
  return (
    <div className="max-h-96 overflow-auto rounded-md border">
      <table className="tabular w-full text-xs">
        <thead className="sticky top-0 bg-rail text-left text-dim">
          <tr>
            {(["start", "length", "lane", "what", "how"] as const).map((column) => (
              <th key={column} scope="col" className="px-2 py-1.5 font-medium first:pl-3 last:pr-3">
                {t(`timeline.col_${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((span) => (
            <tr key={span.key} className="border-t hover:bg-hover">
              <td className="px-2 py-1 pl-3 whitespace-nowrap">{duration(span.from - from)}</td>
              <td className="px-2 py-1 whitespace-nowrap">{duration(span.to - span.from)}</td>
              <td className="px-2 py-1 font-mono">{lanes.get(span.lane)}</td>
              <td className="px-2 py-1">
                <button
                  type="button"
                  onClick={() => onPin(span)}
                  className="inline-flex min-h-6 items-center gap-1.5 text-left hover:underline"
                >
                  <span className="h-2.5 w-4 shrink-0 rounded-[3px]" style={LOOKS[span.kind]} aria-hidden="true" />
                  {kindWord(t, span.kind)}
                </button>
              </td>
              <td className="px-2 py-1 pr-3 text-dim">{howWords(t, span)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < spans.length && (
        <p className="flex items-center gap-3 border-t px-3 py-2 text-xs text-dim">
          {t("timeline.table_more", { count: spans.length - shown.length })}
          <Button size="sm" onClick={() => setAll(true)}>
            {t("timeline.show_all")}
          </Button>
        </p>
      )}
    </div>
  );
}
