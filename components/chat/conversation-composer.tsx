"use client";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { behind, soon } from "@/components/ui/behind";
import { useT } from "@/components/ui/language";
import { toast } from "@/components/ui/toast";
import { places } from "@/lib/api/places";
import type { SessionView } from "@/lib/api/schemas";
import type { Transcript } from "@/lib/trace/transcript-items";
import { Composer } from "./composer";
import { useConversation } from "./conversation-context";
import { GoalStrip } from "./goal-strip";
import { ModeChip } from "./mode-chip";
import { Refused } from "./notices";
import { goToApproval, PendingRow } from "./pending-row";
import { compactSession, recallMessage, sendMessage, stopTask } from "./session-actions";
import type { SessionState } from "./session-store";
import { goOn } from "./start-conversation";
import { useCommands } from "./use-commands";
import type { Outgoing, SendResult } from "./use-outgoing";

// Seldom: not in the first view of every conversation.
// A failed send is told by it, also while the server is away.
soon(() => import("./problem"));
const AuthDead = dynamic(
  behind(() => import("./problem").then((module) => module.AuthDead)),
  { ssr: false },
);
const Problem = dynamic(
  behind(() => import("./problem").then((module) => module.Problem)),
  { ssr: false },
);
const ConfirmImport = dynamic(
  behind(() => import("./confirm-import").then((module) => module.ConfirmImport)),
  { ssr: false },
);

interface ConversationComposerProps {
  state: SessionState;
  session: SessionView | undefined;
}

/** The composer of an open conversation: what it may send, and why it may not. */
export function ConversationComposer({ state, session }: ConversationComposerProps) {
  const { sessionRef, userId, canWork } = useConversation();
  const t = useT();
  const [imported, setImported] = useState<"trusted" | "asked" | "confirmed">("trusted");
  const [ask, setAsk] = useState<{ id: string; command: string }>();
  /** Where a switch goes on when the folder of this conversation is gone; null: a temporary one. */
  const [workspace, setWorkspace] = useState<string | null>();
  const { run, transcript, connection, approvals } = state;
  const history = useMemo(() => promptsOf(transcript, userId), [transcript, userId]);
  const running = run.state !== "idle";
  const { stop, stopping } = useStop();
  const commands = useConversationCommands(state, session);
  const send = useSend({ session, workspace, confirmed: imported === "confirmed" });
  const { text: refused, task = refused } = run.error ?? {};
  const returned = refused && task ? { id: task, text: refused } : undefined;
  const problem = session?.problem;
  const gone = connection === "signed_out" || connection === "gone";
  const blocked = gone ? (
    <Refused connection={connection} />
  ) : !canWork ? (
    <Banner className="mb-2">{t("chat.viewer")}</Banner>
  ) : run.error?.code === "auth" ? (
    <AuthDead />
  ) : problem ? (
    <Problem
      problem={problem}
      workspace={workspace}
      onWorkspace={setWorkspace}
      onModel={() => setAsk({ id: `${Date.now()}`, command: "model" })}
    />
  ) : imported === "asked" ? (
    <ConfirmImport transcript={transcript} onConfirm={() => setImported("confirmed")} />
  ) : undefined;
  const first = approvals[0];
  const review = first && (() => void goToApproval(first.id, true));
  return (
    <>
      <GoalStrip transcript={transcript} running={running} onStop={stop} stopping={stopping} />
      {canWork && review && <PendingRow approvals={approvals} onGo={review} />}
      <Composer
        draftKey={`${userId}/${sessionRef.project}/${sessionRef.agent}/${sessionRef.session}`}
        onSend={async (message) => {
          const result = await send(message);
          if (!result.ok && result.code === "import_unconfirmed") setImported("asked");
          return result;
        }}
        commands={canWork && !gone ? commands : undefined}
        ask={ask}
        running={running}
        queueOnly={run.state === "compacting"}
        onStop={stop}
        stopping={stopping}
        queue={state.queue}
        onRecall={(id) => recallMessage(sessionRef, id)}
        onReview={review}
        history={history}
        returned={returned}
        blocked={blocked}
        onlyHere={canWork && !gone && (problem !== undefined || run.error?.code === "auth")}
        options={canWork && <ModeChip mode={transcript.info?.approval_mode ?? session?.approval_mode} />}
        autoFocus
      />
    </>
  );
}

function useStop() {
  const { sessionRef } = useConversation();
  const [stopping, setStopping] = useState(false);
  const stop = async () => {
    setStopping(true);
    const result = await stopTask(sessionRef);
    setStopping(false);
    if (!result.ok) toast.error(result.error.message);
  };
  return { stop, stopping };
}

interface SendInput {
  session: SessionView | undefined;
  workspace: string | null | undefined;
  confirmed: boolean;
}

/** Into this Session, or with a staged model or Agent into a new one that comes from it. */
function useSend({ session, workspace, confirmed }: SendInput): (message: Outgoing) => Promise<SendResult> {
  const { sessionRef } = useConversation();
  const router = useRouter();
  return async (message) => {
    const { model, agent } = message.staged;
    if (!model && !agent) return sendMessage(sessionRef, message, confirmed);
    const lost = session?.problem?.code === "workspace_missing" ? (workspace ?? null) : undefined;
    const started = await goOn(sessionRef, message, lost);
    if (!started.ok) return started;
    router.push(places.conversation({ ...sessionRef, agent: agent?.id ?? sessionRef.agent, session: started.session }));
    return { ok: true };
  };
}

function useConversationCommands({ run, transcript }: SessionState, session: SessionView | undefined) {
  const { sessionRef, onFork } = useConversation();
  const t = useT();
  const provider = transcript.meta?.provider ?? session?.provider;
  const model_id = transcript.meta?.model_id ?? session?.model_id;
  const model = useMemo(() => (provider && model_id ? { provider, model_id } : undefined), [provider, model_id]);
  const busy = run.state !== "idle";
  const forkAt = transcript.tasks.findLast(({ fork_at }) => fork_at)?.fork_at;
  const off = busy ? t("slash.off_running") : undefined;
  const nothing = transcript.tasks.length === 0 ? t("slash.off_empty") : undefined;
  const [file_index, line] = [forkAt?.file_index, forkAt?.line];
  const compact = useMemo(() => {
    const run = async () => {
      const result = await compactSession(sessionRef);
      if (!result.ok) toast.error(result.error.message);
    };
    return { run: () => void run(), off: off ?? nothing };
  }, [sessionRef, off, nothing]);
  const fork = useMemo(() => {
    const at = file_index === undefined || line === undefined ? null : { file_index, line };
    return {
      run: () => {
        if (at && onFork) void onFork(at);
      },
      off: off ?? (at ? undefined : t("slash.off_empty")),
    };
  }, [file_index, line, onFork, off, t]);
  return useCommands({ project: sessionRef.project, agent: sessionRef.agent, model, compact, fork });
}

/** What this person typed here, oldest first; texts of machines are not part of it. */
function promptsOf({ tasks }: Transcript, userId: string): string[] {
  return tasks.flatMap(({ items }) =>
    items.flatMap((item) => {
      const mine = item.kind === "prompt" && !item.sender && (item.author === undefined || item.author === userId);
      return mine && typeof item.text === "string" && item.text !== "" ? [item.text] : [];
    }),
  );
}
