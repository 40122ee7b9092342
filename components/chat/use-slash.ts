"use client";
import { type KeyboardEvent, useState } from "react";
import { isComposing } from "@/components/ui/keys";
import { useActive } from "@/components/ui/use-active";
import type { SlashCommand } from "./commands";
import { matchCommands, type SlashToken, slashToken } from "./slash";

interface SlashInput {
  text: string;
  caret: number;
  commands: readonly SlashCommand[];
  onPick: (command: SlashCommand, token: SlashToken) => void;
}

interface Slash {
  open: boolean;
  found: readonly SlashCommand[];
  active: number;
  setActive: (index: number) => void;
  pick: (command: SlashCommand) => void;
  /** True: the key was for the menu. */
  onKey: (event: KeyboardEvent) => boolean;
  close: () => void;
}

/** The menu of commands at the caret. Escape closes it for the token it stands on, and for no other. */
export function useSlash({ text, caret, commands, onPick }: SlashInput): Slash {
  const [dismissed, setDismissed] = useState<string | null>(null);
  // The slash it was closed for is gone: the next one at its place is another.
  if (dismissed !== null && !text.startsWith(dismissed)) setDismissed(null);
  const token = commands.length > 0 ? slashToken(text, caret) : null;
  // A token is told by the text before it: typing on in it does not bring the menu back.
  const place = token && text.slice(0, token.start + 1);
  const found = token && place !== dismissed ? matchCommands(commands, token.query) : [];
  const open = found.length > 0;
  const { active, setActive, move } = useActive(found.length, `${place} ${token?.query}`);
  const pick = (command: SlashCommand) => {
    if (token && !command.off) onPick(command, token);
  };
  const onKey = (event: KeyboardEvent) => {
    if (!open || isComposing(event)) return false;
    if (move(event)) return true;
    if (event.key === "Escape") {
      event.preventDefault();
      setDismissed(place);
      return true;
    }
    if ((event.key !== "Enter" && event.key !== "Tab") || event.shiftKey) return false;
    event.preventDefault();
    const command = found[active];
    if (command) pick(command);
    return true;
  };
  return { open, found, active, setActive, pick, onKey, close: () => setDismissed(place) };
}
