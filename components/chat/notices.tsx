"use client";
import { TriangleAlert, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";
import { useConversation } from "./conversation-context";
import { Elapsed } from "./elapsed";
import { ChildApproval } from "./items/child-approval";
import { Notice } from "./items/row";
import type { SessionState } from "./session-store";

/** A break is only worth a word when it lasts. Milliseconds. */
const QUIET_MS = 2_000;
const BACK_MS = 3_000;

/** The state of the connection, quietly: text never jumps, and "back online" goes by itself. */
export function ConnectionNotice({ state, onReconnect }: { state: SessionState; onReconnect: () => void }) {
  const t = useT();
  const shown = useBroken(state);
  if (shown === "none") return null;
  return (
    <div
      role="status"
      className="mx-auto mb-2 flex w-fit items-center gap-2 rounded-full border bg-surface px-3 py-1 text-xs text-dim shadow-control animate-fade-in"
    >
      {shown === "back" ? (
        t("chat.back_online")
      ) : (
        <>
          {navigator.onLine ? <Spinner className="size-3.5" /> : <WifiOff className="size-3.5" aria-hidden="true" />}
          {t(navigator.onLine ? "chat.reconnecting" : "chat.offline")}
          <Button variant="link" size="sm" onClick={onReconnect}>
            {t("chat.reconnect_now")}
          </Button>
        </>
      )}
    </div>
  );
}

function useBroken({ connection, broken_since }: SessionState): "none" | "broken" | "back" {
  const [shown, setShown] = useState<"none" | "broken" | "back">("none");
  useEffect(() => {
    if (connection === "reconnecting" && broken_since !== null) {
      const timer = setTimeout(() => setShown("broken"), Math.max(0, broken_since + QUIET_MS - Date.now()));
      return () => clearTimeout(timer);
    }
    setShown((before) => (before === "broken" && connection === "live" ? "back" : before === "back" ? before : "none"));
    const timer = setTimeout(() => setShown("none"), BACK_MS);
    return () => clearTimeout(timer);
  }, [connection, broken_since]);
  return shown;
}

/** After the newest block: what goes on now, approvals of children, and what was cut off. */
export function Now({ state }: { state: SessionState }) {
  const t = useT();
  const { canWork, onRetryNow } = useConversation();
  const { run, approvals, transcript, restarted } = state;
  const last = transcript.tasks.at(-1);
  const streams = last && (last.open.length > 0 || last.items.some((item) => item.kind === "tool" && !item.output));
  const children = approvals.filter(({ origin, tool_call }) =>
    origin?.length ? !nested(last, origin[0]) : !known(last, tool_call.tool_call_id),
  );
  const retry = canWork && (
    <Button size="sm" onClick={onRetryNow}>
      {t("common.retry")}
    </Button>
  );
  return (
    <div className="flex flex-col gap-3">
      {children.map((approval) => (
        <div key={approval.id} className="overflow-hidden rounded-lg border bg-surface">
          <ChildApproval approval={approval} />
        </div>
      ))}
      {run.state === "running" && !streams && approvals.length === 0 && !run.retry && (
        <p className="flex items-center gap-2 py-1 text-sm text-dim">
          <span
            className="size-2 rounded-full bg-accent animate-pulse-soft motion-reduce:animate-none"
            aria-hidden="true"
          />
          {t("chat.working")} {run.since && <Elapsed since={run.since} />}
        </p>
      )}
      {run.moved && (
        <Notice tone="attention" icon={<TriangleAlert aria-hidden="true" />}>
          {t("chat.model_moved", run.moved)}
        </Notice>
      )}
      {run.state === "idle" && (restarted || transcript.interrupted) && (
        <Notice tone="attention" icon={<TriangleAlert aria-hidden="true" />}>
          {t(restarted ? "chat.server_restarted" : "chat.interrupted")}
        </Notice>
      )}
      {run.state === "idle" && run.error && (notSaved(run.error) || !alreadySaid(last)) && (
        <Notice
          tone="danger"
          icon={<TriangleAlert aria-hidden="true" />}
          // What was never recorded is in the composer again: there is nothing to repeat.
          action={notSaved(run.error) && run.error.text ? undefined : retry}
        >
          {run.error.message}
        </Notice>
      )}
    </div>
  );
}

/** No row of the Task tells of it. */
function notSaved({ code }: { code: string }): boolean {
  return code === "disk_full" || code === "not_saved";
}

type Block = SessionState["transcript"]["tasks"][number] | undefined;
function known(block: Block, callId: string): boolean {
  return block?.items.some((item) => item.kind === "tool" && item.call_id === callId && !item.output) ?? false;
}
/** Is the call that started this subagent still open, so that its question stands there? */
function nested(block: Block, child: string | undefined): boolean {
  return block?.items.some((item) => item.kind === "tool" && item.child?.session_id === child && !item.output) ?? false;
}
/** The rows of the Task tell a failure better than the state does. */
function alreadySaid(block: Block): boolean {
  return block?.items.slice(-2).some((item) => item.kind === "retry" || item.kind === "abort") ?? false;
}

/** Nothing can be sent any more: why, and what to do. What is gone is said where it stood. */
export function Refused({ connection }: { connection: "signed_out" | "gone" }) {
  const t = useT();
  if (connection === "gone") return <p className="mb-2 px-1 text-xs text-dim">{t("chat.gone_text")}</p>;
  return (
    <Banner
      tone="attention"
      className="mb-2"
      action={
        <Button asChild size="sm">
          <Link href={`/sign-in?to=${encodeURIComponent(window.location.pathname)}`}>{t("chat.sign_in")}</Link>
        </Button>
      }
    >
      {t("chat.signed_out")}
    </Banner>
  );
}
