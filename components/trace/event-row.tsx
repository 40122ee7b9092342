"use client";
import { ChevronRight, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, memo } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import { Skeleton } from "@/components/ui/skeleton";
import type { TraceRef } from "@/lib/api/routes";
import type { TraceRow } from "@/lib/api/schemas";
import { clockTime } from "@/lib/format";
import { DamagedBody } from "./damaged-body";
import { describe } from "./describe";
import { EventBody } from "./event-body";
import { KindIcon } from "./kind-icon";
import { say } from "./phrase";

interface EventRowProps {
  trace: TraceRef;
  line: number;
  /** null: a blank line; undefined: not loaded yet. */
  row: TraceRow | null | undefined;
  open: boolean;
  linked: boolean;
  tabbable: boolean;
  onToggle: (line: number, open: boolean) => void;
  /** A key on the row; `from` is its position. */
  onMove: (event: KeyboardEvent<HTMLButtonElement>, from: number) => void;
}

/** One line of the file: a summary that opens. */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { trace, line, row, open, linked, tabbable, onToggle, onMove } = props;
  if (row === undefined) {
    return (
      <div className="flex h-9 items-center px-4 md:px-6">
        <Skeleton className="h-4 w-full" />
      </div>
    );
  }
  if (row === null) return null;
  const damaged = "error" in row;
  return (
    <div
      className={cn(
        "border-b border-l-2 border-l-transparent transition-colors duration-120",
        open && "bg-rail",
        linked && "border-l-accent bg-accent-soft",
      )}
    >
      <button
        type="button"
        data-row={line - 1}
        tabIndex={tabbable ? 0 : -1}
        aria-expanded={open}
        onClick={() => onToggle(line, !open)}
        onKeyDown={(event) => onMove(event, line - 1)}
        className="group flex min-h-9 w-full min-w-0 items-center gap-2 py-1.5 pr-4 pl-3 text-left text-sm -outline-offset-2 hover:bg-hover md:pr-6 md:pl-5"
      >
        <ChevronRight
          aria-hidden="true"
          className={cn("size-3.5 shrink-0 text-faint transition-transform duration-120", open && "rotate-90")}
        />
        <LineNumber line={line} />
        {damaged ? <DamagedSummary error={row.error} /> : <Summary message={row.message} />}
      </button>
      {open &&
        (damaged ? (
          <DamagedBody trace={trace} line={line} error={row.error} head={row.raw_head} />
        ) : (
          <EventBody trace={trace} line={line} message={row.message} />
        ))}
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

function Summary({ message }: { message: Extract<TraceRow, { message: unknown }>["message"] }) {
  const t = useT();
  const { kind, label, summary, mark } = describe(message);
  return (
    <>
      <KindIcon kind={kind} />
      <span className="w-29 shrink-0 truncate font-medium max-md:w-auto">{say(t, label)}</span>
      <span className="min-w-0 flex-1 truncate text-dim">{say(t, summary)}</span>
      {mark && <Badge tone={mark.tone}>{mark.text}</Badge>}
      <time
        dateTime={message.timestamp}
        title={message.timestamp}
        className="tabular shrink-0 font-mono text-xs text-faint max-sm:hidden"
      >
        {clockTime(message.timestamp)}
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
