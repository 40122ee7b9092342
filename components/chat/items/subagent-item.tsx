"use client";
import { Bot } from "lucide-react";
import { memo } from "react";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";
import { places } from "@/lib/api/places";
import type { SubagentItem as Item } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";
import { Elapsed } from "../elapsed";
import { usePanel } from "../panel/panel-context";
import { ChildApproval } from "./child-approval";

interface Child {
  session_id: string;
  agent?: string;
}

/** A subagent: what it is doing, for how long, its questions, and the way to its conversation. */
export function ChildRow({ session_id, agent }: Child) {
  const t = useT();
  const { sessionRef, subagents, approvals } = useConversation();
  const { show } = usePanel();
  const works = subagents.find((child) => child.session_id === session_id);
  const asks = approvals.filter(({ origin }) => origin?.[0] === session_id);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t px-3 py-1.5 text-xs first:border-t-0">
        <span className="inline-flex items-center gap-1.5 text-dim">
          {works && asks.length === 0 ? (
            <Spinner className="size-3.5" />
          ) : (
            <Bot className="size-3.5" aria-hidden="true" />
          )}
          {t(asks.length > 0 ? "chat.subagent_waits" : works ? "chat.subagent_works" : "chat.subagent_ended")}
          {works && <Elapsed since={works.since} />}
        </span>
        <button
          type="button"
          onClick={() => show({ kind: "agents", child: { agent: agent ?? sessionRef.agent, session: session_id } })}
          className="text-accent-ink hover:underline"
        >
          {t("chat.watch_subagent")}
        </button>
        <Link
          href={places.conversation({ ...sessionRef, agent: agent ?? sessionRef.agent, session: session_id })}
          className="text-accent-ink hover:underline"
        >
          {t("chat.open_subagent")}
        </Link>
      </div>
      {asks.map((approval) => (
        <ChildApproval key={approval.id} approval={approval} />
      ))}
    </>
  );
}

/** A child whose call is not known. */
export const SubagentItem = memo(function SubagentItem({ item }: { item: Item }) {
  return (
    <div className="overflow-hidden rounded-lg border bg-surface">
      <ChildRow session_id={item.session_id} agent={item.agent} />
    </div>
  );
});
