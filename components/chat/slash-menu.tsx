"use client";
import { useEffect, useRef } from "react";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import type { SlashCommand } from "./commands";

interface SlashMenuProps {
  id: string;
  commands: readonly SlashCommand[];
  active: number;
  onActive: (index: number) => void;
  onPick: (command: SlashCommand) => void;
}

export const optionId = (menu: string, command: SlashCommand) => `${menu}-${command.name}`;

/** The commands that fit what is typed. The focus stays in the text box, which has the keys. */
export function SlashMenu({ id, commands, active, onActive, onPick }: SlashMenuProps) {
  const t = useT();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the chosen entry
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <>
      <div ref={list} id={id} role="listbox" aria-label={t("slash.label")} className="overflow-y-auto p-1">
        {commands.map((command, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text box's
          <div
            key={command.name}
            id={optionId(id, command)}
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            aria-disabled={command.off ? true : undefined}
            onMouseMove={() => onActive(i)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(command)}
            className={cn(
              "flex min-h-10 cursor-default items-center gap-3 rounded-md px-2 py-1 text-sm [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-faint",
              i === active && "bg-hover",
            )}
          >
            {command.icon}
            <span className="min-w-0 flex-1">
              <span className={cn("block truncate", command.off && "text-dim")}>
                {command.title} <span className="font-mono text-xs text-faint">/{command.name}</span>
              </span>
              <span className="block truncate text-xs text-dim">{command.off ?? command.detail}</span>
            </span>
          </div>
        ))}
      </div>
      <p role="status" className="sr-only">
        {t("slash.count", { count: commands.length })}
      </p>
    </>
  );
}
