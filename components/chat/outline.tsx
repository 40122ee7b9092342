"use client";
import { ListTree } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { type T, useT } from "@/components/ui/language";
import { Popover } from "@/components/ui/popover";
import type { TaskBlock } from "@/lib/trace/transcript-items";

/** Shorter conversations are their own outline. Turns. */
const FROM = 5;
/** Turns before and after the one that is read. */
const AROUND = 20;

interface OutlineProps {
  tasks: readonly TaskBlock[];
  /** How many turns lie before the first one that is loaded. */
  before: number;
  /** The block that is being read. */
  current: () => string | null;
  onGo: (id: string) => void;
}

/** What was asked, turn by turn, to go there. */
export function Outline({ tasks, before, current, onGo }: OutlineProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [middle, setMiddle] = useState(0);
  if (tasks.length < FROM) return null;
  const read = () => {
    const id = current();
    const found = tasks.findIndex((task) => task.id === id);
    return found < 0 ? tasks.length - 1 : found;
  };
  return (
    <div className="absolute right-3 bottom-3 xl:top-3 xl:bottom-auto">
      <Popover
        label={t("chat.outline")}
        align="end"
        open={open}
        onOpenChange={(next) => {
          if (next) setMiddle(read());
          setOpen(next);
        }}
        className="w-80"
        trigger={
          <Button size="sm" aria-label={t("chat.outline")} className="shadow-control">
            <ListTree aria-hidden="true" />
            <span className="tabular">{before + tasks.length}</span>
          </Button>
        }
      >
        <Turns
          tasks={tasks}
          before={before}
          middle={middle}
          onMove={setMiddle}
          onGo={(id) => {
            setOpen(false);
            onGo(id);
          }}
        />
      </Popover>
    </div>
  );
}

interface TurnsProps extends Pick<OutlineProps, "tasks" | "before" | "onGo"> {
  middle: number;
  onMove: (middle: number) => void;
}

function Turns({ tasks, before, middle, onMove, onGo }: TurnsProps) {
  const t = useT();
  const from = Math.max(0, Math.min(middle - AROUND, tasks.length - 2 * AROUND - 1));
  const shown = tasks.slice(from, from + 2 * AROUND + 1);
  const end = from + shown.length;
  return (
    <nav aria-label={t("chat.outline")}>
      {from > 0 && (
        <Button size="sm" variant="ghost" className="w-full" onClick={() => onMove(from - 1)}>
          {t("chat.outline_earlier")}
        </Button>
      )}
      <ol className="max-h-[60vh] overflow-y-auto">
        {shown.map((task, i) => (
          <li key={task.id}>
            <button
              type="button"
              onClick={() => onGo(task.id)}
              aria-current={from + i === middle || undefined}
              className={cn(
                "flex w-full items-baseline gap-2 rounded-md px-2 py-1 text-left text-sm hover:bg-hover",
                from + i === middle && "bg-accent-soft",
              )}
            >
              <span className="tabular w-8 shrink-0 text-right text-xs text-faint">{before + from + i + 1}</span>
              <span className="min-w-0 truncate">{titleOf(t, task)}</span>
            </button>
          </li>
        ))}
      </ol>
      {end < tasks.length && (
        <Button size="sm" variant="ghost" className="w-full" onClick={() => onMove(end)}>
          {t("chat.outline_later")}
        </Button>
      )}
    </nav>
  );
}

function titleOf(t: T, { kind, items }: TaskBlock): string {
  if (kind === "compaction") return t("chat.compaction");
  const prompt = items.find((item) => item.kind === "prompt");
  const text = prompt && (typeof prompt.text === "string" ? prompt.text : prompt.text.head);
  const line = text?.split("\n").find((one) => one.trim() !== "");
  return line?.trim().slice(0, 120) || t("chat.answer");
}
