"use client";
import { ChevronDown } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { Menu, MenuChoice } from "@/components/ui/menu";
import type { SendMode } from "./use-outgoing";

interface SendModeMenuProps {
  mode: SendMode;
  /** False: only the queue takes this message. */
  steerable: boolean;
  onChange: (mode: "steer" | "queue") => void;
}

/** How a message is sent while a Task runs. */
export function SendModeMenu({ mode, steerable, onChange }: SendModeMenuProps) {
  const t = useT();
  const options = [
    { value: "steer" as const, label: t("chat.mode_steer") },
    { value: "queue" as const, label: t("chat.mode_queue") },
  ];
  const shown = mode === "queue" ? "queue" : "steer";
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <Button variant="ghost" size="md" aria-label={t("chat.send_mode")} className="px-1.5!">
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      <MenuChoice
        label={t("chat.send_mode")}
        value={shown}
        options={steerable ? options : options.filter(({ value }) => value === "queue")}
        onChange={onChange}
      />
    </Menu>
  );
}
