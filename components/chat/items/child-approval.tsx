"use client";
import { useT } from "@/components/ui/language";
import type { ApprovalRequest } from "@/lib/api/frames";
import { seen } from "../seen";
import { readArguments } from "../tool-arguments";
import { ApprovalRow } from "./approval-row";
import { ToolCallArguments } from "./tool-call-arguments";

/** A call that is not one of this conversation's own: all of it, and the decision. */
export function ChildApproval({ approval }: { approval: ApprovalRequest }) {
  const t = useT();
  const { name, arguments: given, tool_call_id } = approval.tool_call;
  return (
    <div id={`approval-${approval.id}`} className="border-t first:border-t-0">
      <p className="border-b px-3 py-1.5 text-xs text-dim">
        {approval.origin?.length ? t("chat.subagent_asks", { tool: name }) : seen(name)}
      </p>
      <ToolCallArguments
        item={{
          kind: "tool",
          at: approval.since,
          started_at: approval.since,
          streaming: false,
          name,
          arguments: given,
          call_id: tool_call_id,
        }}
        args={readArguments(given, false)}
      />
      <ApprovalRow approval={approval} />
    </div>
  );
}
