"use client";
import { Bot, CircleAlert, CircleSlash, FilePen, FileSearch, Hand, SquareTerminal, Wrench } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { useT } from "@/components/ui/language";
import { Spinner } from "@/components/ui/spinner";
import { duration } from "@/lib/format";
import type { ToolItem as Item } from "@/lib/trace/transcript-items";
import { spanMs } from "@/lib/trace/transcript-stats";
import { useConversation } from "../conversation-context";
import { Elapsed } from "../elapsed";
import { type ToolState, toolState, type WorkKind, workKind } from "../segments";
import { readArguments } from "../tool-arguments";
import { decisionWords, whoId } from "../who";
import { ApprovalRow } from "./approval-row";
import { Fold } from "./row";
import { ChildRow } from "./subagent-item";
import { ToolCallArguments, toolTitle } from "./tool-call-arguments";
import { exitOf, ToolResult } from "./tool-result";
import { TraceLink } from "./trace-link";

const ICONS: Record<WorkKind, ReactNode> = {
  command: <SquareTerminal aria-hidden="true" />,
  read: <FileSearch aria-hidden="true" />,
  edit: <FilePen aria-hidden="true" />,
  agent: <Bot aria-hidden="true" />,
  thought: null,
  other: <Wrench aria-hidden="true" />,
};

/** One call of a tool: a line that says what it does; open while it runs or waits for a person. */
export const ToolItem = memo(function ToolItem({ item }: { item: Item }) {
  const t = useT();
  const { approvals, active } = useConversation();
  const [choice, setChoice] = useState<boolean | null>(null);
  const approval = item.output
    ? undefined
    : approvals.find((open) => !open.origin?.length && open.tool_call.tool_call_id === item.call_id);
  const childAsks =
    !item.output && item.child && approvals.some(({ origin }) => origin?.[0] === item.child?.session_id);
  const state = toolState(item, { waiting: approval !== undefined || childAsks === true, active });
  const text = typeof item.arguments === "string" ? item.arguments : item.arguments.head;
  const args = readArguments(text, item.streaming || typeof item.arguments !== "string");
  const open = choice ?? (state === "waiting" || state === "running" || state === "writing");
  const decided = item.decision;
  // What a mode decided is no news: it stands at the foot of the card.
  const quiet = decided?.decision === "allow" && decided.by?.startsWith("mode:") === true;
  return (
    <Fold
      icon={<StateIcon state={state} kind={workKind(item)} />}
      title={toolTitle(t, item.name, args)}
      aside={<Aside item={item} state={state} />}
      open={open}
      onToggle={setChoice}
    >
      <div className="mb-2 overflow-hidden rounded-lg border bg-surface" id={approval && `approval-${approval.id}`}>
        <ToolCallArguments item={item} args={args} />
        {approval && <ApprovalRow approval={approval} />}
        {decided && !quiet && (
          <p className="border-t px-3 py-1.5 text-xs text-dim">
            <Decision decided={decided} address={item.address} />
          </p>
        )}
        {item.child && <ChildRow {...item.child} />}
        <ToolResult item={item} lost={state === "lost"} />
        {item.address && (
          <p className="flex flex-wrap items-center justify-between gap-x-3 border-t px-3 py-1 text-xs text-faint">
            <TraceLink address={item.output?.address ?? item.address} />
            {quiet && <Decision decided={decided} address={item.address} />}
          </p>
        )}
      </div>
    </Fold>
  );
});

/** Who decided, and how long it waited for them. */
function Decision({ decided, address }: { decided: NonNullable<Item["decision"]>; address: Item["address"] }) {
  const t = useT();
  const who = useConversation();
  return (
    <span>
      <span title={whoId(decided.by, who, address)}>
        {decisionWords(t, decided.decision, decided.by, who, address)}
      </span>
      {decided.waited_ms !== undefined && decided.waited_ms > 0 && (
        <span className="text-faint"> · {t("chat.after_waiting", { time: duration(decided.waited_ms) })}</span>
      )}
    </span>
  );
}

function StateIcon({ state, kind }: { state: ToolState; kind: WorkKind }) {
  switch (state) {
    case "waiting":
      return <Hand className="text-trace-waiting" aria-hidden="true" />;
    case "running":
    case "writing":
    case "starting":
      return <Spinner />;
    case "failed":
      return <CircleAlert className="text-danger" aria-hidden="true" />;
    case "denied":
    case "forbidden":
    case "stopped":
    case "lost":
      return <CircleSlash className="text-faint" aria-hidden="true" />;
    default:
      return <span className="text-faint">{ICONS[kind]}</span>;
  }
}

function Aside({ item, state }: { item: Item; state: ToolState }) {
  const t = useT();
  if (state === "running") return <Elapsed since={item.decision?.at ?? item.at} />;
  if (state === "waiting") return <Badge tone="attention">{t("chat.state_waiting")}</Badge>;
  if (state === "done") return item.output && duration(spanMs(item.decision?.at ?? item.at, item.output.at));
  const exit = state === "failed" ? exitOf(item) : null;
  return (
    <span className={state === "failed" ? "text-danger" : undefined}>
      {exit === null ? t(`chat.state_${state}`) : t("chat.exit", { exit })}
    </span>
  );
}
