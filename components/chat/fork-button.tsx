"use client";
import { GitFork } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import type { RecordAddress } from "@/lib/omni/message";
import { useConversation } from "./conversation-context";

/** "Fork from here": nothing to see for people who may only read. */
export function ForkButton({ at }: { at: RecordAddress }) {
  const t = useT();
  const { onFork, active } = useConversation();
  const [busy, setBusy] = useState(false);
  if (!onFork) return null;
  return (
    <IconButton
      label={t(active ? "chat.fork_later" : "chat.fork")}
      size="sm"
      disabled={busy || active}
      onClick={async () => {
        setBusy(true);
        await onFork(at);
        setBusy(false);
      }}
      className="text-faint"
    >
      <GitFork />
    </IconButton>
  );
}
