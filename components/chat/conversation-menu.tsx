"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, FoldVertical, Link2, Lock, Users } from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { behind } from "@/components/ui/behind";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { Menu, MenuItem } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import type { Result } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import type { SessionView } from "@/lib/api/schemas";
import { useConversation } from "./conversation-context";
import { compactSession, patchSession } from "./session-actions";

// Seldom: not in the first view of every conversation.
const ShareDialog = dynamic(
  behind(() => import("@/components/share/share-dialog").then((module) => module.ShareDialog)),
  {
    ssr: false,
  },
);

/** What can be done to the conversation as a whole. */
export function ConversationMenu({ session }: { session: SessionView | undefined }) {
  const t = useT();
  const client = useQueryClient();
  const { sessionRef, canWork, active } = useConversation();
  const [busy, setBusy] = useState(false);
  const [sharing, setSharing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  if (!canWork) return null;
  const run = async (action: Promise<Result<unknown>>) => {
    setBusy(true);
    const result = await action;
    setBusy(false);
    if (!result.ok) toast.error(result.error.message);
    void client.invalidateQueries({ queryKey: queries.session(sessionRef).queryKey });
  };
  const hidden = session?.visibility === "private";
  const Icon = hidden ? Users : Lock;
  const share = sharing && (
    <ShareDialog
      sessionRef={sessionRef}
      title={session?.title ?? ""}
      opener={opener.current}
      onClose={() => setSharing(false)}
    />
  );
  const menu = (
    <Menu
      align="end"
      trigger={
        <IconButton ref={opener} label={t("chat.more_actions")} size="sm">
          <Ellipsis aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem disabled={active || busy} onSelect={() => void run(compactSession(sessionRef))}>
        <FoldVertical aria-hidden="true" />
        <span>
          {t("chat.compact")}
          <span className="block text-xs text-dim">{t("chat.compact_detail")}</span>
        </span>
      </MenuItem>
      <MenuItem disabled={!session} onSelect={() => setSharing(true)}>
        <Link2 aria-hidden="true" />
        <span>
          {t("share.open")}
          <span className="block text-xs text-dim">{t("share.open_detail")}</span>
        </span>
      </MenuItem>
      {/* Whoever makes somebody else's conversation private would lose it. */}
      {session?.mine && (
        <MenuItem
          disabled={busy}
          onSelect={() => void run(patchSession(sessionRef, { visibility: hidden ? "team" : "private" }))}
        >
          <Icon aria-hidden="true" />
          <span>
            {t(hidden ? "chat.share" : "chat.make_private")}
            <span className="block text-xs text-dim">
              {t(hidden ? "chat.share_detail" : "chat.make_private_detail")}
            </span>
          </span>
        </MenuItem>
      )}
    </Menu>
  );
  return (
    <>
      {menu}
      {share}
    </>
  );
}
