"use client";
import { Hand } from "lucide-react";
import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { useT } from "@/components/ui/language";
import type { ApprovalRequest } from "@/lib/api/frames";
import { toolWords } from "./items/tool-call-arguments";

const SETTLE_MS = 200;

/** Brings the card of a waiting call into view; with `focus` also the keyboard, never onto Allow. */
export function goToApproval(id: string, focus: boolean): boolean {
  const card = document.getElementById(`approval-${id}`);
  if (!card) return false;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  card.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
  if (focus) card.querySelector<HTMLElement>("[data-decision]")?.focus({ preventScroll: true });
  return true;
}

/** Whoever came by a link to what waits (#approval, or one of them by its id) is shown it; nothing gets the focus. */
export function useWayToApproval(approvals: readonly ApprovalRequest[]): void {
  useEffect(() => {
    const [, wanted] = /^#approval(?:-(\w+))?$/.exec(window.location.hash) ?? [null];
    const first = approvals.find(({ id }) => !wanted || id === wanted);
    if (wanted === null || !first) return;
    // The list has to be laid out and at its end before anything can be in its middle.
    const timer = setTimeout(() => {
      if (goToApproval(first.id, false)) history.replaceState(history.state, "", window.location.pathname);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [approvals]);
}

/** Right before the composer: something waits for a decision, and the way there without a mouse. */
export function PendingRow({ approvals, onGo }: { approvals: readonly ApprovalRequest[]; onGo: () => void }) {
  const t = useT();
  const first = approvals[0];
  if (!first) return null;
  const tool = toolWords(t, first.tool_call.name);
  const count = approvals.length - 1;
  return (
    <div className="mb-2 flex items-center gap-2 rounded-lg border border-attention-line bg-attention-soft py-1 pr-1.5 pl-3 text-sm">
      <Hand className="size-4 shrink-0 text-attention" aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{t(count > 0 ? "wait.more" : "wait.here", { tool, count })}</span>
      <Button size="sm" onClick={onGo} aria-keyshortcuts="Alt+A">
        {t("wait.go")} <Kbd className="max-sm:hidden pointer-coarse:hidden">Alt A</Kbd>
      </Button>
    </div>
  );
}
