"use client";
import { Activity, Columns2, Download, MessageSquare, MoreHorizontal, Package, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Menu, MenuItem } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/navigation";
import { Spinner } from "@/components/ui/spinner";
import { places } from "@/lib/api/places";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { TraceOverview } from "@/lib/api/trace-overview";
import { byteSize } from "@/lib/format";
import type { RecordAddress } from "@/lib/omni/message";
import { OriginBanner } from "./origin-banner";

interface TraceHeaderProps {
  session: SessionRef;
  overview: TraceOverview | undefined;
  /** Lines that are no records. */
  damaged: readonly RecordAddress[];
  onShow: (address: RecordAddress) => void;
}

/** Whose Trace this is, where it comes from, and the ways on. */
export function TraceHeader({ session, overview, damaged, onShow }: TraceHeaderProps) {
  const t = useT();
  const files = overview?.files ?? [];
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return (
    <>
      <PageHeader
        title={overview?.title ?? session.session}
        detail={
          <>
            {overview?.imported && <Badge tone="info">{t("trace.imported")}</Badge>}
            {overview && overview.state !== "idle" && (
              <Badge tone="good">
                <Spinner className="size-3" />
                {t("trace.live")}
              </Badge>
            )}
          </>
        }
        actions={
          <>
            <Button asChild size="sm" className="max-sm:hidden">
              <Link href={places.conversation(session)}>
                <MessageSquare aria-hidden="true" />
                {t("trace.open_conversation")}
              </Link>
            </Button>
            <More session={session} files={files} />
          </>
        }
      />
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-1 text-xs text-dim md:px-6">
        <Link href={places.traces(session.project, session.agent)} className="hover:text-ink hover:underline">
          {t("trace.back")}
        </Link>
        {overview && <OriginBanner session={session} overview={overview} />}
        {lines > 0 && (
          <span className="tabular">
            {t("trace.lines", { count: lines })} · {byteSize(bytes)}
          </span>
        )}
        {damaged.length > 0 && <DamagedCount damaged={damaged} onShow={onShow} />}
        {overview?.model_id && (
          <span className="truncate max-md:hidden">
            {overview.provider}/{overview.model_id}
          </span>
        )}
        <span className="flex min-w-0 items-center max-md:hidden">
          <code className="min-w-0 truncate font-mono text-faint">{session.session}</code>
          <CopyButton text={session.session} label={t("trace.copy_id")} />
        </span>
        <Link href={places.conversation(session)} className="text-accent-ink hover:underline sm:hidden">
          {t("trace.open_conversation")}
        </Link>
      </div>
    </>
  );
}

/** How many lines are damaged; each click leads to the next one. */
function DamagedCount({ damaged, onShow }: Pick<TraceHeaderProps, "damaged" | "onShow">) {
  const t = useT();
  const [next, setNext] = useState(0);
  return (
    <button
      type="button"
      title={t("trace.next_damaged")}
      onClick={() => {
        const address = damaged[next % damaged.length];
        if (address) onShow(address);
        setNext(next + 1);
      }}
      className="inline-flex min-h-6 items-center gap-1 font-medium text-danger hover:underline"
    >
      <TriangleAlert className="size-3.5" aria-hidden="true" />
      {t("trace.damaged_count", { count: damaged.length })}
    </button>
  );
}

/** Files named in the menu. */
const NAMED = 20;

function More({ session, files }: { session: SessionRef; files: TraceOverview["files"] }) {
  const t = useT();
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={t("trace.more")} size="sm">
          <MoreHorizontal />
        </IconButton>
      }
    >
      {files.slice(0, NAMED).map(({ index, bytes }) => (
        <MenuItem key={index} asChild>
          <a href={routes.traceRaw({ ...session, index })} download>
            <Download aria-hidden="true" />
            {t("trace.export_this", { index: String(index).padStart(3, "0"), size: byteSize(bytes) })}
          </a>
        </MenuItem>
      ))}
      <MenuItem asChild>
        <a href={routes.traceBundle(session)} download>
          <Package aria-hidden="true" />
          {t("trace.export_bundle")}
        </a>
      </MenuItem>
      <MenuItem asChild>
        <a href={routes.traceOtlp(session)} download>
          <Activity aria-hidden="true" />
          {t("trace.export_otlp")}
        </a>
      </MenuItem>
      <MenuItem asChild>
        <Link href={places.compareTraces(session.project, session)}>
          <Columns2 aria-hidden="true" />
          {t("compare.action")}
        </Link>
      </MenuItem>
    </Menu>
  );
}
