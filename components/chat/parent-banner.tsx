"use client";
import { Bot } from "lucide-react";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import type { SessionView } from "@/lib/api/schemas";
import { useConversation } from "./conversation-context";
import type { SessionState } from "./session-store";

/** This conversation is a subagent's: the way back to the one it works for. */
export function ParentBanner({ session, state }: { session: SessionView | undefined; state: SessionState }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const parent = state.transcript.meta?.parent ?? session?.parent;
  if (!parent) return null;
  return (
    <p className="flex shrink-0 flex-wrap items-center justify-center gap-x-2 border-b bg-sunken px-4 py-1.5 text-xs text-dim">
      <Bot className="size-3.5" aria-hidden="true" />
      {t("chat.child_of")}
      <Link
        href={places.conversation({ ...sessionRef, agent: parent.agent, session: parent.session_id })}
        className="text-accent-ink hover:underline"
      >
        {t("chat.open_parent")}
      </Link>
    </p>
  );
}
