"use client";
import { ArrowLeft, ArrowUpRight, Bot, ChevronRight, CircleAlert, CircleSlash } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";
import { places } from "@/lib/api/places";
import { duration } from "@/lib/format";
import type { Transcript } from "@/lib/trace/transcript-items";
import { spanMs } from "@/lib/trace/transcript-stats";
import { useConversation } from "../conversation-context";
import { Elapsed } from "../elapsed";
import { ChildApproval } from "../items/child-approval";
import type { ChildRef } from "../panel/panel-context";
import { useSession } from "../use-session";
import { ChildConversation } from "./child-conversation";
import { type ChildFacts, childrenOf } from "./children";

interface AgentsPanelProps {
  transcript: Transcript;
  child: ChildRef | null;
  onOpen: (child: ChildRef | null) => void;
}

/** Who was started by whom, what each does and asks, and one of their conversations as it goes on. */
export default function AgentsPanel({ transcript, child, onOpen }: AgentsPanelProps) {
  const t = useT();
  const { sessionRef } = useConversation();
  if (child) {
    return (
      <div className="flex min-h-0 flex-1 flex-col">
        <div className="flex h-10 shrink-0 items-center gap-1 border-b px-2">
          <IconButton label={t("agents.back")} size="sm" onClick={() => onOpen(null)}>
            <ArrowLeft />
          </IconButton>
          <span className="min-w-0 flex-1 truncate text-xs text-dim">{child.agent}</span>
          <Button asChild size="sm" variant="ghost">
            <Link href={places.conversation({ ...sessionRef, ...child })}>
              <ArrowUpRight aria-hidden="true" />
              {t("chat.open_subagent")}
            </Link>
          </Button>
        </div>
        <ChildConversation key={child.session} project={sessionRef.project} child={child} />
      </div>
    );
  }
  const children = childrenOf(transcript);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-2 py-2">
      {children.length === 0 ? (
        <p className="px-2 py-4 text-sm text-dim">{t("agents.none")}</p>
      ) : (
        <Nodes facts={children} parent={sessionRef.agent} onOpen={onOpen} />
      )}
    </div>
  );
}

interface NodesProps {
  facts: readonly ChildFacts[];
  /** The Agent of whoever started them. */
  parent: string;
  onOpen: (child: ChildRef) => void;
}

function Nodes({ facts, parent, onOpen }: NodesProps) {
  const t = useT();
  return (
    <ul aria-label={t("agents.graph")} className="space-y-1">
      {facts.map((one) => (
        <Node key={one.session} facts={one} parent={parent} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function Node({ facts, parent, onOpen }: { facts: ChildFacts; parent: string; onOpen: NodesProps["onOpen"] }) {
  const t = useT();
  const { subagents, approvals } = useConversation();
  const [open, setOpen] = useState(false);
  const { session, agent = parent, task, from, to } = facts;
  const running = subagents.find((child) => child.session_id === session);
  const asks = approvals.filter(({ origin }) => origin?.includes(session));
  const outcome = running ? "working" : facts.outcome === "working" ? "done" : facts.outcome;
  return (
    <li className="rounded-md border bg-surface">
      <div className="flex items-center gap-1.5 px-1.5 py-1">
        <IconButton label={t("agents.below")} size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          <ChevronRight
            className={cn("transition-transform duration-120 motion-reduce:transition-none", open && "rotate-90")}
          />
        </IconButton>
        <StateIcon outcome={outcome} waits={asks.length > 0} />
        <button
          type="button"
          onClick={() => onOpen({ agent, session })}
          className="min-w-0 flex-1 truncate rounded-sm text-left text-sm hover:underline"
        >
          {task ?? t("agents.subagent")}
        </button>
        <span className="shrink-0 text-xs text-faint">
          {agent !== parent && `${agent} · `}
          {running ? <Elapsed since={running.since} /> : to ? duration(spanMs(from, to)) : t(`agents.${outcome}`)}
        </span>
      </div>
      {asks.map((approval) => (
        <ChildApproval key={approval.id} approval={approval} />
      ))}
      {open && (
        <div className="border-t py-1 pr-1 pl-5">
          <Below session={session} agent={agent} onOpen={onOpen} />
        </div>
      )}
    </li>
  );
}

/** What a subagent started itself stands in its own conversation. */
function Below({ session, agent, onOpen }: ChildRef & { onOpen: NodesProps["onOpen"] }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const { state } = useSession({ project: sessionRef.project, agent, session });
  if (!state.loaded) return <Spinner className="size-3.5" />;
  const facts = childrenOf(state.transcript);
  if (facts.length === 0) return <p className="px-2 py-1 text-xs text-faint">{t("agents.none_below")}</p>;
  return <Nodes facts={facts} parent={agent} onOpen={onOpen} />;
}

function StateIcon({ outcome, waits }: { outcome: ChildFacts["outcome"]; waits: boolean }) {
  if (outcome === "working" && !waits) return <Spinner className="size-4 shrink-0" />;
  if (outcome === "failed") return <CircleAlert className="size-4 shrink-0 text-danger" aria-hidden="true" />;
  if (outcome === "stopped") return <CircleSlash className="size-4 shrink-0 text-faint" aria-hidden="true" />;
  return <Bot className={cn("size-4 shrink-0", waits ? "text-trace-waiting" : "text-faint")} aria-hidden="true" />;
}
