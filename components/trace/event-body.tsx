"use client";
import { useQuery } from "@tanstack/react-query";
import { MessageSquare } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { useLanguage, useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { Spinner } from "@/components/ui/spinner";
import { ErrorState } from "@/components/ui/states";
import { failureFrom } from "@/lib/api/client";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import type { TraceRef } from "@/lib/api/routes";
import { exactTime } from "@/lib/format";
import { isOmniMessage } from "@/lib/omni/guards";
import type { OmniMessage } from "@/lib/omni/message";
import { hasElided } from "@/lib/trace/fields";
import { CopyLink } from "./copy-link";
import { RawJson } from "./raw-json";
import { ReadableBody } from "./readable-body";

interface EventBodyProps {
  trace: TraceRef;
  line: number;
  message: OmniMessage;
}

/** An opened record: readable, or as the exact line of the file. Shortened strings are fetched whole on demand. */
export function EventBody({ trace, line, message }: EventBodyProps) {
  const t = useT();
  const [language] = useLanguage();
  const [view, setView] = useState<"readable" | "raw">("readable");
  const [wantWhole, setWantWhole] = useState(false);
  const shortened = hasElided(message.payload);
  const raw = useQuery({ ...queries.traceLine(trace, line), enabled: view === "raw" || wantWhole });
  const shown = wantWhole && raw.data !== undefined ? (parseRecord(raw.data) ?? message) : message;

  return (
    <div className="flex flex-col gap-3 px-4 pt-1 pb-4 md:pr-6 md:pl-27">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label={t("trace.view")}
          value={view}
          onChange={setView}
          options={[
            { value: "readable", label: t("trace.readable") },
            { value: "raw", label: t("trace.raw") },
          ]}
        />
        <span className="tabular min-w-0 flex-1 truncate text-xs text-faint">
          {exactTime(message.timestamp, language)}
        </span>
        <IconButton asChild size="sm" label={t("trace.to_conversation")}>
          <Link href={places.conversation(trace, { file_index: trace.index, line })}>
            <MessageSquare />
          </Link>
        </IconButton>
        <CopyLink trace={trace} line={line} />
      </div>
      {view === "readable" && shortened && shown === message && (
        <p className="flex flex-wrap items-center gap-2 text-xs text-dim">
          {t("trace.shortened")}
          <Button size="sm" busy={wantWhole && raw.isFetching} onClick={() => setWantWhole(true)}>
            {t("trace.load_whole_plain")}
          </Button>
        </p>
      )}
      {raw.error && (view === "raw" || wantWhole) && (
        <ErrorState title={t("trace.raw_failed")} onRetry={() => void raw.refetch()}>
          {failureFrom(raw.error).code === "network" ? t("network") : failureFrom(raw.error).message}
        </ErrorState>
      )}
      {view === "raw" && raw.isPending && !raw.error && <Spinner className="text-faint" />}
      {view === "raw" && raw.data !== undefined && <RawJson text={raw.data} />}
      {view === "readable" && <ReadableBody message={shown} trace={trace} line={line} />}
    </div>
  );
}

function parseRecord(line: string): OmniMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    return isOmniMessage(value) ? value : null;
  } catch {
    return null;
  }
}
