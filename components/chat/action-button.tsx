"use client";
import { ArrowUp, Square } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import type { SendMode } from "./use-outgoing";

interface ActionProps {
  running: boolean;
  empty: boolean;
  mode: SendMode;
  /** Cannot be sent now, for a reason that stands beside it. */
  disabled: boolean;
  busy: boolean;
  stopping?: boolean;
  onSend: () => void;
  onStop?: () => void;
}

const LABELS = { send: "chat.send", steer: "chat.steer", queue: "chat.queue" } as const;

/** One button: Stop while a Task runs and nothing is typed, else Send, named after what it will do. */
export function ActionButton({ running, empty, mode, disabled, busy, stopping, onSend, onStop }: ActionProps) {
  const t = useT();
  if (running && empty && !busy) {
    return (
      <Button onClick={onStop} busy={stopping} size="md" className="max-sm:h-10">
        {!stopping && <Square className="fill-current" aria-hidden="true" />}
        {t("chat.stop")}
      </Button>
    );
  }
  return (
    <Button
      variant="primary"
      size="md"
      className="max-sm:h-10"
      disabled={disabled || empty}
      busy={busy}
      onClick={onSend}
    >
      {!busy && <ArrowUp aria-hidden="true" />}
      {t(LABELS[mode])}
    </Button>
  );
}
