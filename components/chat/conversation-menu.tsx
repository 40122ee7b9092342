"use client";
import { Ellipsis, FoldVertical } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { Menu, MenuItem } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { useConversation } from "./conversation-context";
import { compactSession } from "./session-actions";

/** What can be done to the conversation as a whole. */
export function ConversationMenu() {
  const t = useT();
  const { sessionRef, canWork, active } = useConversation();
  const [busy, setBusy] = useState(false);
  if (!canWork) return null;
  const compact = async () => {
    setBusy(true);
    const result = await compactSession(sessionRef);
    setBusy(false);
    if (!result.ok) toast.error(result.error.message);
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={t("chat.more_actions")} size="sm">
          <Ellipsis aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem disabled={active || busy} onSelect={compact}>
        <FoldVertical aria-hidden="true" />
        <span>
          {t("chat.compact")}
          <span className="block text-xs text-dim">{t("chat.compact_detail")}</span>
        </span>
      </MenuItem>
    </Menu>
  );
}
