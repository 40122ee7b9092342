"use client";
import { useMemo } from "react";
import { useT } from "@/components/ui/language";
import { Spinner } from "@/components/ui/spinner";
import { ConversationProvider, useConversation } from "../conversation-context";
import { MessageList } from "../message-list";
import { Now } from "../notices";
import type { ChildRef } from "../panel/panel-context";
import { useSession } from "../use-session";
import { useWho } from "../use-who";

/** A subagent's own conversation as it goes on, to read. What it asks is decided where its parent is. */
export function ChildConversation({ project, child }: { project: string; child: ChildRef }) {
  const t = useT();
  const outer = useConversation();
  const { state, store } = useSession({ project, ...child });
  const { approvals, decided, run, people } = state;
  const { names, fromFile } = useWho(store.ref, people);
  const { subagents = NONE } = run;
  const active = run.state !== "idle";
  const { userId } = outer;
  const view = useMemo(
    () => ({
      sessionRef: store.ref,
      userId,
      names,
      fromFile,
      canWork: false,
      active,
      approvals,
      subagents,
      decided,
      onDecided: () => {},
      onRetryNow: () => {},
      onStop: () => {},
    }),
    [store, userId, names, fromFile, active, approvals, subagents, decided],
  );
  if (state.connection === "gone") return <p className="p-4 text-sm text-dim">{t("agents.gone")}</p>;
  if (!state.loaded) {
    return (
      <div className="flex justify-center p-6 animate-late">
        <Spinner />
      </div>
    );
  }
  return (
    <ConversationProvider value={view}>
      <MessageList
        sessionKey={child.session}
        transcript={state.transcript}
        older={state.older}
        onOlder={store.loadOlder}
      >
        <Now state={state} />
      </MessageList>
    </ConversationProvider>
  );
}

const NONE: { session_id: string; since: string }[] = [];
