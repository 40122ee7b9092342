"use client";
import { Download } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import { places } from "@/lib/api/places";
import { routes, type TraceRef } from "@/lib/api/routes";
import type { TraceFileView, TracesPage } from "@/lib/api/schemas";
import { byteSize } from "@/lib/format";

interface TraceTableProps {
  project: string;
  agent: string;
  sessions: TracesPage["sessions"];
}

/** One row per Session, with its files. On a phone the cells of a row stand below each other. */
export function TraceTable({ project, agent, sessions }: TraceTableProps) {
  const t = useT();
  return (
    <table className="w-full border-separate border-spacing-0 rounded-lg border text-sm max-md:block">
      <thead className="max-md:sr-only">
        <tr className="bg-rail text-left text-xs text-dim">
          <th scope="col" className="rounded-tl-lg px-4 py-2 font-medium">
            {t("trace.session")}
          </th>
          <th scope="col" className="px-4 py-2 font-medium">
            {t("trace.files")}
          </th>
          <th scope="col" className="whitespace-nowrap rounded-tr-lg px-4 py-2 text-right font-medium">
            {t("trace.activity")}
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {sessions.map((session) => {
          const last = session.files.at(-1);
          const ref = { project, agent, session: session.session_id };
          return (
            <tr
              key={session.session_id}
              className="group max-md:flex max-md:flex-col max-md:gap-2 max-md:border-b max-md:px-4 max-md:py-3 max-md:last:border-b-0 md:*:border-t md:hover:bg-rail"
            >
              <td className="min-w-0 align-top md:w-1/2 md:px-4 md:py-2.5">
                <div className="flex min-w-0 items-center gap-2">
                  {last ? (
                    <Link
                      href={places.trace({ ...ref, index: last.index })}
                      className="min-w-0 truncate font-medium hover:underline"
                    >
                      {session.title ?? t("trace.untitled")}
                    </Link>
                  ) : (
                    <span className="min-w-0 truncate font-medium">{session.title ?? t("trace.untitled")}</span>
                  )}
                  {session.imported && <Badge tone="info">{t("trace.imported")}</Badge>}
                </div>
                <p className="truncate text-xs text-faint">
                  <code className="font-mono">{session.session_id}</code>
                  {session.model && <span className="text-dim"> · {session.model}</span>}
                </p>
              </td>
              <td className="align-top md:px-4 md:py-2">
                <ul className="flex flex-wrap gap-1.5">
                  {session.files.map((file) => (
                    <FileChip key={file.index} trace={{ ...ref, index: file.index }} file={file} />
                  ))}
                </ul>
              </td>
              <td className="whitespace-nowrap align-top text-xs text-dim md:px-4 md:py-2.5 md:text-right">
                <Time at={session.last_active_at} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A file: its number and size open it, the arrow exports it. */
function FileChip({ trace, file }: { trace: TraceRef; file: TraceFileView }) {
  const t = useT();
  const index = String(file.index).padStart(3, "0");
  const size = byteSize(file.bytes);
  return (
    <li className="inline-flex h-7 items-center rounded-full border bg-surface text-xs">
      <Link
        href={places.trace(trace)}
        title={file.date}
        aria-label={t("trace.open_file", { index, size, date: file.date })}
        className="tabular flex h-full items-center gap-1.5 rounded-l-full pr-1 pl-2.5 text-dim hover:text-ink"
      >
        <span className="font-mono">{index}</span>
        <span className="text-faint">{size}</span>
      </Link>
      <IconButton
        asChild
        label={t("trace.export_file", { index })}
        size="sm"
        className="size-6.5 rounded-full [&_svg]:size-3.5"
      >
        <a href={routes.traceRaw(trace)} download>
          <Download />
        </a>
      </IconButton>
    </li>
  );
}
