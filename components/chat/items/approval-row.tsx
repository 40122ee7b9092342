"use client";
import { type KeyboardEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { useT } from "@/components/ui/language";
import { toast } from "@/components/ui/toast";
import type { ApprovalRequest } from "@/lib/api/frames";
import { useConversation } from "../conversation-context";
import { Elapsed } from "../elapsed";
import { decideApproval } from "../session-actions";
import { decisionWords } from "../who";

/** Allow or deny, in words. Nothing is focused by itself; A and D count only while the focus is on this row. */
export function ApprovalRow({ approval }: { approval: ApprovalRequest }) {
  const t = useT();
  const who = useConversation();
  const { sessionRef, canWork, userId, onDecided } = who;
  const [busy, setBusy] = useState<"allow" | "deny" | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const decide = async (decision: "allow" | "deny") => {
    if (busy) return;
    setBusy(decision);
    setNote(null);
    const result = await decideApproval(sessionRef, approval.id, decision);
    setBusy(null);
    if (result.ok) return onDecided({ id: approval.id, decision, by: userId });
    const { code, details, message } = result.error;
    if (code === "already_decided") {
      const other = details.decision === "deny" ? "deny" : "allow";
      const by = typeof details.by === "string" ? details.by : undefined;
      const words = t("chat.already", { words: decisionWords(t, other, by, who) });
      setNote(words);
      // The row goes with the decision; what it was stays readable for a while.
      toast.info(words);
      return onDecided({ id: approval.id, decision: other, by: by ?? "" });
    }
    setNote(code === "not_found" ? t("chat.not_pending") : message);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || !canWork) return;
    const decision = { a: "allow" as const, d: "deny" as const }[event.key.toLowerCase()];
    if (!decision) return;
    event.preventDefault();
    void decide(decision);
  };
  return (
    <section
      aria-label={t("chat.approval_needed", { tool: approval.tool_call.name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys A and D work while the row has the focus
      tabIndex={0}
      data-decision
      onKeyDown={onKeyDown}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-attention-line bg-attention-soft px-3 py-2.5 -outline-offset-2"
    >
      <p className="min-w-0 flex-1 basis-48 text-sm">
        {t("chat.approval_question")}{" "}
        <span className="text-xs text-dim">
          {t("chat.waiting_since")} <Elapsed since={approval.since} />
        </span>
        {note && (
          <span role="alert" className="block text-xs text-danger">
            {note}
          </span>
        )}
      </p>
      {canWork ? (
        <span className="flex gap-2">
          <Button
            onClick={() => decide("deny")}
            busy={busy === "deny"}
            disabled={busy !== null}
            className="max-sm:h-10"
          >
            {t("chat.deny")} <Kbd className="pointer-coarse:hidden">D</Kbd>
          </Button>
          <Button
            variant="primary"
            onClick={() => decide("allow")}
            busy={busy === "allow"}
            disabled={busy !== null}
            className="max-sm:h-10"
          >
            {t("chat.allow")}{" "}
            <Kbd className="border-on-accent/30 bg-transparent text-on-accent pointer-coarse:hidden">A</Kbd>
          </Button>
        </span>
      ) : (
        <span className="text-xs text-dim">{t("chat.viewer_cannot_decide")}</span>
      )}
    </section>
  );
}
