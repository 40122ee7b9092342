"use client";
import { Bot, FolderTree } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import type { Transcript } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";
import { usePanel } from "./panel-context";

/** The ways to what stands beside the conversation. */
export function PanelButtons({ transcript }: { transcript: Transcript }) {
  const t = useT();
  const { subagents } = useConversation();
  const { panel, show } = usePanel();
  const any = subagents.length > 0 || transcript.tasks.some(({ items }) => items.some(startsChild));
  return (
    <span className="-mx-1 flex items-center">
      {any && (
        <IconButton
          label={t("agents.open_panel")}
          size="sm"
          side="bottom"
          aria-pressed={panel?.kind === "agents"}
          onClick={() => show(panel?.kind === "agents" ? null : { kind: "agents", child: null })}
        >
          <Bot />
        </IconButton>
      )}
      <IconButton
        label={t("files.open_panel")}
        size="sm"
        side="bottom"
        aria-pressed={panel?.kind === "files"}
        onClick={() => show(panel?.kind === "files" ? null : { kind: "files", path: null })}
      >
        <FolderTree />
      </IconButton>
    </span>
  );
}

type Item = Transcript["tasks"][number]["items"][number];
function startsChild(item: Item): boolean {
  return item.kind === "subagent" || (item.kind === "tool" && item.child !== undefined);
}
