"use client";
import { ArrowUp, Download, FoldVertical } from "lucide-react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { TraceFileView } from "@/lib/api/schemas";
import { byteSize } from "@/lib/format";
import type { RecordAddress } from "@/lib/omni/message";

interface FileDividerProps {
  session: SessionRef;
  file: TraceFileView & { lines: number };
  before: (TraceFileView & { lines: number }) | undefined;
  onShow: (address: RecordAddress) => void;
}

/** Where a file of the Session begins: between two files the context was compacted. */
export function FileDivider({ session, file, before, onShow }: FileDividerProps) {
  const t = useT();
  const name = String(file.index).padStart(3, "0");
  const size = byteSize(file.bytes);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-rail px-4 py-2 text-xs text-dim md:px-6">
      <h2 className="text-sm font-semibold text-ink">{t("trace.file_divider", { index: name })}</h2>
      <span className="tabular">
        {file.date} · {size} · {t("trace.lines", { count: file.lines })}
      </span>
      <IconButton asChild size="sm" label={t("trace.export_this", { index: name, size })}>
        <a href={routes.traceRaw({ ...session, index: file.index })} download>
          <Download />
        </a>
      </IconButton>
      {before && (
        <span className="flex flex-wrap items-center gap-2">
          <FoldVertical className="size-4 text-attention" aria-hidden="true" />
          {t("trace.context_changed")}
          <Button size="sm" onClick={() => onShow({ file_index: file.index, line: Math.min(2, file.lines) })}>
            {t("trace.summary")}
          </Button>
          <Button size="sm" onClick={() => onShow({ file_index: before.index, line: before.lines })}>
            <ArrowUp aria-hidden="true" />
            {t("trace.previous_file")}
          </Button>
        </span>
      )}
    </div>
  );
}
