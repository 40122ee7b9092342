"use client";
import { ChevronRight, TriangleAlert } from "lucide-react";
import { memo, useMemo } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import type { TraceRef } from "@/lib/api/routes";
import type { TraceHit } from "@/lib/api/trace-search";
import type { RecordSummary } from "@/lib/api/trace-summary";
import { clockTime } from "@/lib/format";
import type { RecordAddress } from "@/lib/omni/message";
import { addressKey } from "@/lib/trace/timeline";
import { useHot, useLight } from "./hot";
import { KindIcon } from "./kind-icon";
import { Marked } from "./marked";
import { say } from "./phrase";
import { RecordBody } from "./record-body";

interface EventRowProps {
  trace: TraceRef;
  line: number;
  /** null: a blank line; undefined: not loaded yet. */
  row: RecordSummary | null | undefined;
  open: boolean;
  linked: boolean;
  /** What a search found here. */
  hit: TraceHit | undefined;
  tabbable: boolean;
  /** The reader's clock is not known yet. */
  hydrating: boolean;
  onToggle: (address: RecordAddress, open: boolean) => void;
}

/** One line of the file: a summary that opens. */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { trace, line, row, open, linked, hit, tabbable, hydrating, onToggle } = props;
  const hot = useHot();
  const address = useMemo(() => ({ file_index: trace.index, line }), [trace.index, line]);
  const keys = useMemo(() => [addressKey(address)], [address]);
  const light = useLight(keys);
  if (row === undefined) {
    // One element that does not move: a jump brings a whole screen of them.
    return <div aria-hidden="true" className="mx-4 my-2.5 h-4 animate-late rounded-md bg-press md:mx-6" />;
  }
  if (row === null) return null;
  const damaged = "error" in row;
  return (
    <div
      data-lit={light ?? undefined}
      className={cn(
        "border-b border-l-2 border-l-transparent",
        open && "bg-rail",
        hit && "bg-attention-soft",
        linked && "border-l-accent bg-accent-soft",
        light && "border-l-ink bg-hover",
      )}
    >
      <button
        type="button"
        data-row={addressKey(address)}
        tabIndex={tabbable ? 0 : -1}
        aria-expanded={open}
        onClick={() => onToggle(address, !open)}
        onPointerEnter={() => hot.hover(keys)}
        onPointerLeave={() => hot.hover([])}
        onFocus={() => hot.hover(keys)}
        onBlur={() => hot.hover([])}
        className="group flex min-h-9 w-full min-w-0 items-center gap-2 py-1.5 pr-4 pl-3 text-left text-sm -outline-offset-2 hover:bg-hover md:pr-6 md:pl-5"
      >
        <ChevronRight
          aria-hidden="true"
          className={cn("size-3.5 shrink-0 text-faint transition-transform duration-120", open && "rotate-90")}
        />
        <LineNumber line={line} />
        {damaged ? <DamagedSummary error={row.error} /> : <Summary record={row} hit={hit} hydrating={hydrating} />}
      </button>
      {open && <RecordBody trace={trace} line={line} damaged={damaged} />}
    </div>
  );
});

function LineNumber({ line }: { line: number }) {
  const t = useT();
  return (
    <span className="tabular w-8 shrink-0 text-right font-mono text-xs text-faint md:w-11">
      <span className="sr-only">{t("trace.line", { line })}</span>
      <span aria-hidden="true">{line}</span>
    </span>
  );
}

/** Takes the room of a time. */
const CLOCK = "00:00:00.000";

interface SummaryProps {
  record: Exclude<RecordSummary, { error: string }>;
  hit: TraceHit | undefined;
  hydrating: boolean;
}
function Summary({ record, hit, hydrating }: SummaryProps) {
  const t = useT();
  const { timestamp, kind, label, summary, mark } = record;
  return (
    <>
      <KindIcon kind={kind} />
      <span className="w-29 shrink-0 truncate font-medium max-md:w-auto max-md:max-w-28">{say(t, label)}</span>
      <span className="min-w-0 flex-1 truncate text-dim">
        {hit ? <Marked snippet={hit.snippet} /> : say(t, summary)}
      </span>
      {mark && <Badge tone={mark.tone}>{mark.text}</Badge>}
      <time
        dateTime={timestamp}
        title={timestamp}
        className={cn("tabular shrink-0 font-mono text-xs text-faint max-sm:hidden", hydrating && "invisible")}
      >
        {hydrating ? CLOCK : clockTime(timestamp)}
      </time>
    </>
  );
}

function DamagedSummary({ error }: { error: string }) {
  const t = useT();
  return (
    <>
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />
      <span className="shrink-0 font-medium text-danger">{t("trace.damaged")}</span>
      <span className="min-w-0 flex-1 truncate text-dim">{error}</span>
    </>
  );
}
