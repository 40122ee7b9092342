"use client";
import Link from "next/link";
import { useMemo, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { places } from "@/lib/api/places";
import type { SessionView } from "@/lib/api/schemas";
import type { Transcript } from "@/lib/trace/transcript-items";
import { Composer } from "./composer";
import { ConfirmImport } from "./confirm-import";
import { useConversation } from "./conversation-context";
import { ModeChip } from "./mode-chip";
import { Refused } from "./notices";
import { recallMessage, sendMessage, stopTask } from "./session-actions";
import type { SessionState } from "./session-store";

interface ConversationComposerProps {
  state: SessionState;
  session: SessionView | undefined;
}

/** The composer of an open conversation: what it may send, and why it may not. */
export function ConversationComposer({ state, session }: ConversationComposerProps) {
  const { sessionRef, userId, canWork } = useConversation();
  const t = useT();
  const [stopping, setStopping] = useState(false);
  const [imported, setImported] = useState<"trusted" | "asked" | "confirmed">("trusted");
  const { run, transcript, connection } = state;
  const history = useMemo(() => promptsOf(transcript, userId), [transcript, userId]);
  const running = run.state !== "idle";
  const stop = async () => {
    setStopping(true);
    await stopTask(sessionRef);
    setStopping(false);
  };
  const refused = run.error?.text;
  const returned = refused ? { id: `${run.error?.code} ${refused}`, text: refused } : undefined;
  const blocked =
    connection === "signed_out" || connection === "gone" ? (
      <Refused connection={connection} />
    ) : !canWork ? (
      <Banner className="mb-2">{t("chat.viewer")}</Banner>
    ) : session?.problem ? (
      <Problem problem={session.problem} />
    ) : imported === "asked" ? (
      <ConfirmImport transcript={transcript} onConfirm={() => setImported("confirmed")} />
    ) : undefined;
  return (
    <Composer
      draftKey={`${userId}/${sessionRef.project}/${sessionRef.agent}/${sessionRef.session}`}
      onSend={async (message) => {
        const result = await sendMessage(sessionRef, message, imported === "confirmed");
        if (!result.ok && result.code === "import_unconfirmed") setImported("asked");
        return result;
      }}
      running={running}
      queueOnly={run.state === "compacting"}
      onStop={stop}
      stopping={stopping}
      queue={state.queue}
      onRecall={(id) => recallMessage(sessionRef, id)}
      history={history}
      returned={returned}
      blocked={blocked}
      options={canWork && <ModeChip mode={transcript.info?.approval_mode ?? session?.approval_mode} />}
      autoFocus
    />
  );
}

/** What is missing, and the way on. Reading always works. */
function Problem({ problem }: { problem: NonNullable<SessionView["problem"]> }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const models = problem.code.startsWith("model");
  return (
    <Banner
      tone="attention"
      className="mb-2"
      action={
        <span className="flex gap-2">
          {models && (
            <Button asChild size="sm">
              <Link href={places.models(sessionRef.project)}>{t("chat.open_models")}</Link>
            </Button>
          )}
          <Button asChild size="sm">
            <Link href={places.newConversation(sessionRef.project, sessionRef.agent)}>{t("nav.new_conversation")}</Link>
          </Button>
        </span>
      }
    >
      {problem.message}
    </Banner>
  );
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
