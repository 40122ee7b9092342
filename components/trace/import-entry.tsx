"use client";
import { CircleCheck, Clock, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { byteSize } from "@/lib/format";
import { ImportFailure } from "./import-failure";
import type { ImportEntry } from "./use-import";

interface ImportEntryRowProps {
  entry: ImportEntry;
  busy: boolean;
  onRemove: () => void;
  onAnyway: () => void;
  onOpen: (session: string) => void;
}

/** One file of an import: waiting, on its way, or what became of it. */
export function ImportEntryRow({ entry, busy, onRemove, onAnyway, onOpen }: ImportEntryRowProps) {
  const t = useT();
  const { file } = entry;
  return (
    <li className="rounded-md border px-3 py-2">
      <div className="flex items-center gap-2 text-sm">
        {entry.step === "done" ? (
          <CircleCheck className="size-4 shrink-0 text-good" aria-hidden="true" />
        ) : (
          <Clock className="size-4 shrink-0 text-faint" aria-hidden="true" />
        )}
        <span className="min-w-0 flex-1 truncate font-medium">{file.name}</span>
        <span className="tabular shrink-0 text-xs text-dim">{byteSize(file.size)}</span>
        {entry.step === "waiting" && !busy && (
          <IconButton size="sm" label={t("import.remove")} onClick={onRemove}>
            <X />
          </IconButton>
        )}
        {entry.step === "done" && (
          <Button size="sm" onClick={() => onOpen(entry.session)}>
            {t("import.open")}
          </Button>
        )}
      </div>
      {entry.step === "sending" && <Progress sent={entry.sent} total={file.size} />}
      {entry.step === "done" && (
        <p className="mt-1 text-xs text-dim">
          {entry.sessions > 1 ? t("import.done_sessions", { count: entry.sessions }) : t("import.done")}{" "}
          {entry.damaged > 0 && t("import.done_damaged", { count: entry.damaged })}
        </p>
      )}
      {entry.step === "failed" && (
        <div className="mt-2">
          <ImportFailure failure={entry.failure} onAnyway={onAnyway} onOpen={onOpen} />
        </div>
      )}
    </li>
  );
}

function Progress({ sent, total }: { sent: number; total: number }) {
  const t = useT();
  const all = total > 0 && sent >= total;
  const words = all ? t("import.checking") : t("import.sending", { sent: byteSize(sent), total: byteSize(total) });
  return (
    <div className="mt-2">
      <progress value={sent} max={Math.max(total, 1)} aria-label={t("import.title")} className="sr-only" />
      <div className="h-1.5 overflow-hidden rounded-full bg-press" aria-hidden="true">
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-120"
          style={{ width: `${total > 0 ? (sent / total) * 100 : 0}%` }}
        />
      </div>
      <p className="tabular mt-1.5 text-xs text-dim">{words}</p>
    </div>
  );
}
