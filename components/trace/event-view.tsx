"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Download, MessageSquare } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { PageHeader, usePageTitle } from "@/components/ui/navigation";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import { routes, type TraceRef } from "@/lib/api/routes";
import type { SessionView } from "@/lib/api/schemas";
import { parseTraceFileName } from "@/lib/trace/name";
import { EventList } from "./event-list";

interface EventViewProps {
  trace: TraceRef;
  line?: number;
}

/** One file of a Session's Trace, record by record. */
export function EventView({ trace, line }: EventViewProps) {
  const t = useT();
  const session = useQuery(queries.session(trace));
  const [total, setTotal] = useState(0);
  const title = session.data?.title ?? trace.session;
  usePageTitle(`${title} · ${t("trace.one")}`);

  return (
    <>
      <PageHeader
        title={title}
        detail={session.data?.imported && <Badge tone="info">{t("trace.imported")}</Badge>}
        actions={
          <>
            <Button asChild size="sm" className="max-sm:hidden">
              <Link href={places.conversation(trace)}>
                <MessageSquare aria-hidden="true" />
                {t("trace.open_conversation")}
              </Link>
            </Button>
            <Button asChild size="sm">
              <a href={routes.traceRaw(trace)} download>
                <Download aria-hidden="true" />
                {t("trace.export")}
              </a>
            </Button>
          </>
        }
      />
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 text-xs text-dim md:px-6">
        <Link href={places.traces(trace.project, trace.agent)} className="hover:text-ink hover:underline">
          {t("trace.back")}
        </Link>
        <FileSteps trace={trace} newest={newestFile(session.data)} />
        {total > 0 && <span className="tabular">{t("trace.lines", { count: total })}</span>}
        <code className="min-w-0 truncate font-mono text-faint max-md:hidden">{trace.session}</code>
        <Link href={places.conversation(trace)} className="text-accent-ink hover:underline sm:hidden">
          {t("trace.open_conversation")}
        </Link>
      </div>
      <EventList key={`${trace.session}/${trace.index}`} trace={trace} line={line} onTotal={setTotal} />
    </>
  );
}

/** Which file of the Session this is, and the way to its neighbours. A context that was compacted goes on in the next. */
function FileSteps({ trace, newest }: { trace: TraceRef; newest: number }) {
  const t = useT();
  const { index } = trace;
  return (
    <span className="flex items-center gap-1">
      {index > 1 && (
        <IconButton asChild label={t("trace.previous_file")} size="sm">
          <Link href={places.trace({ ...trace, index: index - 1 })}>
            <ChevronLeft />
          </Link>
        </IconButton>
      )}
      <span className="tabular">{t("trace.file_number", { index: String(index).padStart(3, "0") })}</span>
      {index < newest && (
        <IconButton asChild label={t("trace.next_file")} size="sm">
          <Link href={places.trace({ ...trace, index: index + 1 })}>
            <ChevronRight />
          </Link>
        </IconButton>
      )}
    </span>
  );
}

/** Index of a Session's newest file, read from its path; 0 when it is not known. */
function newestFile(session: SessionView | undefined): number {
  return parseTraceFileName(session?.trace_path?.split(/[\\/]/).at(-1) ?? "")?.index ?? 0;
}
