"use client";
import { Bot } from "lucide-react";
import Link from "next/link";
import { memo } from "react";
import { useT } from "@/components/ui/language";
import { places } from "@/lib/api/places";
import type { SubagentItem as Item } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";

/** The way to the conversation of a child. */
export function ChildLink({ session_id, agent }: { session_id: string; agent?: string }) {
  const t = useT();
  const { sessionRef } = useConversation();
  return (
    <p className="border-t px-3 py-1.5 text-xs">
      <Link
        href={places.conversation({ ...sessionRef, agent: agent ?? sessionRef.agent, session: session_id })}
        className="inline-flex items-center gap-1.5 text-accent-ink hover:underline"
      >
        <Bot className="size-3.5" aria-hidden="true" />
        {t("chat.open_subagent")}
      </Link>
    </p>
  );
}

/** A child whose call is not known. */
export const SubagentItem = memo(function SubagentItem({ item }: { item: Item }) {
  return (
    <div className="rounded-lg border">
      <ChildLink session_id={item.session_id} agent={item.agent} />
    </div>
  );
});
