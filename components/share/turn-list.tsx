"use client";
import { useId } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { Time } from "@/components/ui/time";
import type { ShareableTurn, ShareChoice } from "@/lib/api/share";

type Chosen = ShareChoice["turns"];

interface TurnListProps {
  turns: readonly ShareableTurn[];
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}

const keyOf = ({ file_index, line }: Chosen[number]) => `${file_index}:${line}`;
const addressOf = ({ file_index, line }: ShareableTurn) => ({ file_index, line });

/** The turns of the conversation, oldest first: all, from one on, or one by one. */
export function TurnList({ turns, chosen, onChange }: TurnListProps) {
  const t = useT();
  const id = useId();
  const keys = new Set(chosen.map(keyOf));
  const choose = (wanted: (turn: ShareableTurn, at: number) => boolean) =>
    onChange(turns.filter(wanted).slice(-500).map(addressOf));
  const toggle = (turn: ShareableTurn) => choose((other) => keys.has(keyOf(other)) !== (keyOf(other) === keyOf(turn)));
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{t("share.turns")}</legend>
      <div className="mb-1.5 flex flex-wrap items-center gap-2">
        <span className="text-sm font-medium" aria-hidden="true">
          {t("share.turns")}
        </span>
        <span className="tabular flex-1 text-xs text-dim" aria-live="polite">
          {t("share.chosen", { count: chosen.length, total: turns.length })}
        </span>
        <Button size="sm" onClick={() => choose(() => true)}>
          {t("share.all")}
        </Button>
        <Button size="sm" disabled={chosen.length === 0} onClick={() => onChange([])}>
          {t("share.none")}
        </Button>
      </div>
      <ul className="max-h-56 divide-y overflow-y-auto rounded-lg border">
        {turns.map((turn, i) => {
          const text = turn.text || t("share.untitled_turn");
          return (
            <li key={keyOf(turn)} className="flex items-center gap-2.5 px-3 py-1.5 hover:bg-hover">
              <input
                id={`${id}-${i}`}
                type="checkbox"
                checked={keys.has(keyOf(turn))}
                onChange={() => toggle(turn)}
                className="size-4 shrink-0 accent-accent"
              />
              <label htmlFor={`${id}-${i}`} className="min-w-0 flex-1 truncate py-0.5 text-sm" title={text}>
                {text}
              </label>
              <Time at={turn.at} className="shrink-0 text-xs text-faint max-sm:hidden" />
              <Button
                variant="ghost"
                size="sm"
                aria-label={t("share.from_here_one", { text: text.slice(0, 60) })}
                onClick={() => choose((_, at) => at >= i)}
              >
                {t("share.from_here")}
              </Button>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
