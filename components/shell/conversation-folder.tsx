"use client";
import { Archive, Bot, CalendarClock, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import { SkeletonLines } from "@/components/ui/skeleton";
import type { AgentView, SessionView } from "@/lib/api/schemas";
import { useSessionPages } from "./use-conversations";

const PAGE = 50;
const ICONS = { subagent: Bot, schedule: CalendarClock, archived: Archive };

interface FolderProps {
  project: string;
  agents: readonly AgentView[];
  category: keyof typeof ICONS;
  /** All there are, loaded or not. */
  count: number;
  row: (session: SessionView) => ReactNode;
}

/** Conversations that are not in the list itself: those of subagents, of schedules, and archived ones. Loaded when opened. */
export function ConversationFolder({ project, agents, category, count, row }: FolderProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [limit, setLimit] = useState(PAGE);
  const { sessions, loading, more } = useSessionPages(project, agents, { limit, category, enabled: open });
  const Icon = ICONS[category];
  if (count === 0) return null;
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-8 w-full pointer-coarse:h-10 items-center gap-2 rounded-md px-2 text-left text-xs text-dim hover:bg-hover hover:text-ink [&_svg]:size-4 [&_svg]:shrink-0"
      >
        <Icon className="text-faint" aria-hidden="true" />
        <span className="min-w-0 flex-1 truncate">{t(`list.${category}`)}</span>
        <span className="tabular text-faint">{count}</span>
        <ChevronRight
          className={cn(
            "text-faint transition-transform duration-120 motion-reduce:transition-none",
            open && "rotate-90",
          )}
          aria-hidden="true"
        />
      </button>
      {open && loading && sessions.length === 0 && (
        <SkeletonLines lines={Math.min(3, count)} label={t("common.loading")} className="px-2 py-1" />
      )}
      {open && <ul>{sessions.map(row)}</ul>}
      {open && more && (
        <button
          type="button"
          onClick={() => setLimit(limit + PAGE)}
          className="h-8 px-2 text-xs text-dim hover:text-ink hover:underline"
        >
          {t("common.show_more")}
        </button>
      )}
    </div>
  );
}
