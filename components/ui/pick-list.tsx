"use client";
import { Check, Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { cn } from "./cn";
import { isComposing } from "./keys";
import { useT } from "./language";
import { useActive } from "./use-active";

export interface Pick {
  value: string;
  /** Searched together with `words`. */
  label: string;
  detail?: ReactNode;
  /** Entries with the same group stand under its name. */
  group?: string;
  words?: string;
  current?: boolean;
}

interface PickListProps {
  label: string;
  placeholder: string;
  picks: readonly Pick[];
  onPick: (value: string) => void;
  onCancel: () => void;
  /** Nothing fits, or there is nothing. */
  empty: ReactNode;
}

/** A search box over a list: the focus stays in the box, the arrows choose, Enter takes, Escape leaves. */
export function PickList({ label, placeholder, picks, onPick, onCancel, empty }: PickListProps) {
  const t = useT();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const found = search(picks, query);
  const { active, setActive, move } = useActive(found.length, query);
  const chosen = found[active];
  const optionId = (value: string) => `${id}-${value}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the chosen entry
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active, query]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || move(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onCancel();
    }
    if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      if (chosen) onPick(chosen.value);
    }
  };
  const option = (pick: Pick) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the search box's
    <div
      key={pick.value}
      id={optionId(pick.value)}
      role="option"
      tabIndex={-1}
      aria-selected={pick === chosen}
      onMouseMove={() => setActive(found.indexOf(pick))}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPick(pick.value)}
      className={cn(
        "flex min-h-9 cursor-default items-center gap-3 rounded-md px-2 py-1 text-sm",
        pick === chosen && "bg-hover",
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate">{pick.label}</span>
        {pick.detail && <span className="block truncate text-xs text-dim">{pick.detail}</span>}
      </span>
      {pick.current && (
        <span className="flex shrink-0 items-center gap-1 text-xs text-dim">
          <Check className="size-3.5" aria-hidden="true" />
          {t("pick.current")}
        </span>
      )}
    </div>
  );
  return (
    <div className="flex min-h-0 flex-col">
      <div className="relative border-b">
        <Search className="pointer-events-none absolute top-3 left-3 size-4 text-faint" aria-hidden="true" />
        <input
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={chosen && optionId(chosen.value)}
          value={query}
          placeholder={placeholder}
          // biome-ignore lint/a11y/noAutofocus: it was opened to be typed into
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-10 w-full bg-transparent pr-3 pl-9 text-sm text-ink outline-none placeholder:text-faint max-sm:text-[16px]"
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className="min-h-0 overflow-y-auto p-1">
        {groups(found).map(({ group, members }) =>
          group ? (
            // biome-ignore lint/a11y/useSemanticElements: a group of options
            <div key={group} role="group" aria-labelledby={`${id}-g-${group}`}>
              <div id={`${id}-g-${group}`} className="px-2 pt-2 pb-1 text-xs font-medium text-faint">
                {group}
              </div>
              {members.map(option)}
            </div>
          ) : (
            members.map(option)
          ),
        )}
      </div>
      {found.length === 0 && <p className="px-3 pb-3 text-sm text-dim">{empty}</p>}
      <p role="status" className="sr-only">
        {t("pick.count", { count: found.length })}
      </p>
    </div>
  );
}

/** Entries that hold every word of the query. */
function search(picks: readonly Pick[], query: string): Pick[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return picks.filter((pick) => {
    const text = `${pick.label} ${pick.group ?? ""} ${pick.words ?? ""}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function groups(picks: readonly Pick[]): { group: string; members: Pick[] }[] {
  const found = new Map<string, Pick[]>();
  for (const pick of picks) found.set(pick.group ?? "", [...(found.get(pick.group ?? "") ?? []), pick]);
  return [...found].map(([group, members]) => ({ group, members }));
}
