"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileQuestion } from "lucide-react";
import { memo, useCallback, useEffect, useMemo, useRef } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { preloadMarkdown } from "@/components/ui/markdown";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { isFollowed } from "@/lib/api/live/followed";
import { queries } from "@/lib/api/queries";
import { refreshSessions } from "@/lib/api/refresh";
import type { SessionRef } from "@/lib/api/routes";
import type { Role } from "@/lib/api/schemas";
import { ConversationComposer } from "./conversation-composer";
import { ConversationProvider, type ConversationView } from "./conversation-context";
import { ConversationHeader } from "./conversation-header";
import { MessageList } from "./message-list";
import { ConnectionNotice, Now } from "./notices";
import { PanelProvider } from "./panel/panel-context";
import { Panels } from "./panel/panels";
import { ParentBanner } from "./parent-banner";
import { useWayToApproval } from "./pending-row";
import { retryNow, stopTask } from "./session-actions";
import type { SessionState, SessionStore } from "./session-store";
import { COUNTED } from "./session-usage";
import { StatusRegion } from "./status-region";
import { SourceBanner, SuccessorBanner } from "./successors";
import { useCalm } from "./use-calm";
import { useFork } from "./use-fork";
import { useSession } from "./use-session";
import { useWho } from "./use-who";

const Header = memo(ConversationHeader);
const ComposerHere = memo(ConversationComposer);
const PanelsHere = memo(Panels);

// While the page comes alive: there will be something to show.
if (typeof window !== "undefined") preloadMarkdown();

export interface ConversationProps {
  sessionRef: SessionRef;
  userId: string;
  role: Role;
  /** What the stream would begin with, as JSON; null: the stream tells. */
  opening?: Promise<string | null>;
}

/** One open Session: reading, answering, deciding. Fills its parent. */
export function Conversation({ sessionRef, userId, role, opening }: ConversationProps) {
  const { state, store } = useSession(sessionRef, opening);
  const { data: session } = useQuery({ ...queries.session(store.ref), staleTime: 30_000 });
  const view = useView({ state, store, userId, canWork: role !== "viewer" });
  const calm = useCalm(state);
  const gone = state.connection === "gone";
  useWayToApproval(state.approvals);
  useFreshFacts(store.ref, state);
  return (
    <ConversationProvider value={view}>
      <PanelProvider>
        <div className="flex h-full min-h-0">
          <section className="flex h-full min-h-0 min-w-0 flex-1 flex-col bg-page">
            <Header session={session} state={calm} />
            <StatusRegion state={state} />
            <ParentBanner session={session} state={calm} />
            <SourceBanner session={session} state={calm} />
            <SuccessorBanner session={session} />
            {gone ? (
              <Gone />
            ) : state.loaded || state.connection === "signed_out" ? (
              <MessageList
                sessionKey={Object.values(store.ref).join("/")}
                transcript={state.transcript}
                older={state.older}
                onOlder={store.loadOlder}
              >
                <Now state={state} />
              </MessageList>
            ) : (
              <Loading state={state} onRetry={store.reconnect} />
            )}
            {/* Access that ended while somebody wrote takes no text away. */}
            {(!gone || state.loaded) && (
              <div className="mx-auto w-full max-w-[46rem] shrink-0 px-4 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
                <ConnectionNotice state={state} onReconnect={store.reconnect} />
                <ComposerHere state={calm} session={session} />
              </div>
            )}
          </section>
          {!gone && <PanelsHere transcript={calm.transcript} />}
        </div>
      </PanelProvider>
    </ConversationProvider>
  );
}

const NONE: ConversationView["subagents"] = [];

interface ViewInput {
  state: SessionState;
  store: SessionStore;
  userId: string;
  canWork: boolean;
}

function useView({ state, store, userId, canWork }: ViewInput): ConversationView {
  const { approvals, decided, run, people, transcript } = state;
  const { switched_from, handoff_from } = transcript.meta ?? {};
  const source = (switched_from ?? handoff_from)?.session_id;
  const { names, fromFile } = useWho(store.ref, people);
  const onRetryNow = useCallback(async () => {
    const problem = await retryNow(store);
    if (problem !== null) toast.error(problem);
  }, [store]);
  const onStop = useCallback(async () => {
    const result = await stopTask(store.ref);
    if (!result.ok) toast.error(result.error.message);
  }, [store]);
  const onFork = useFork(store.ref);
  const active = run.state !== "idle";
  const retryAt = run.retry?.at;
  const { subagents = NONE } = run;
  const counted = useRef(COUNTED);
  return useMemo(
    () => ({
      sessionRef: store.ref,
      ...(source ? { source } : {}),
      userId,
      names,
      fromFile,
      canWork,
      active,
      approvals,
      subagents,
      decided,
      onDecided: (end) => store.noteDecision(end),
      retryAt,
      onRetryNow,
      onStop,
      counted,
      ...(canWork ? { onFork } : {}),
    }),
    [
      store,
      source,
      userId,
      names,
      fromFile,
      canWork,
      active,
      approvals,
      subagents,
      decided,
      retryAt,
      onRetryNow,
      onStop,
      onFork,
    ],
  );
}

/**
 * Lists and the header's facts change when a Task begins or ends, and with the settings (a title, the archive). What
 * the page is asking for already is not asked for once more: only what was read before it opened may be old.
 */
function useFreshFacts(ref: SessionRef, { loaded, run, transcript }: SessionState): void {
  const client = useQueryClient();
  const seen = useRef<unknown[]>(null);
  const [state, info] = [run.state, transcript.info];
  useEffect(() => {
    const opened = seen.current === null;
    const known = seen.current?.[0] === true;
    const [, was, of] = seen.current ?? [];
    const same = was === state && of === info;
    // A Task that begins changes nothing yet of what the header tells.
    const began = !opened && was === "idle" && of === info;
    seen.current = [loaded, state, info];
    // The first snapshot says what is, not what has changed.
    if (!opened && (same || !known)) return;
    const old = (queryKey: readonly unknown[]) =>
      !opened || client.getQueriesData({ queryKey }).some(([, data]) => data !== undefined);
    if (old(["sessions", ref.project])) void refreshSessions(client, ref.project);
    const facts = [
      // Comes by itself where the server tells it.
      ...(isFollowed(ref.project) ? [] : [queries.status(ref.project).queryKey]),
      ...(began ? [] : [queries.session(ref).queryKey]),
    ];
    for (const queryKey of facts) if (old(queryKey)) void client.invalidateQueries({ queryKey });
  }, [client, ref, loaded, state, info]);
}

/** What one may not read any more is not shown any longer. */
function Gone() {
  const t = useT();
  return (
    <div className="min-h-0 flex-1 overflow-y-auto pt-[12vh]">
      <EmptyState
        icon={<FileQuestion aria-hidden="true" />}
        title={t("common.not_found")}
        action={
          <Button asChild>
            <Link href="/">{t("common.back_home")}</Link>
          </Button>
        }
      >
        {t("chat.gone")}
      </EmptyState>
    </div>
  );
}

function Loading({ state, onRetry }: { state: SessionState; onRetry: () => void }) {
  const t = useT();
  if (state.connection === "reconnecting") {
    return (
      <div className="flex-1 p-6">
        <ErrorState title={t("chat.not_loaded")} onRetry={onRetry}>
          {t("chat.not_loaded_detail")}
        </ErrorState>
      </div>
    );
  }
  return (
    <div
      className="mx-auto w-full max-w-[46rem] flex-1 space-y-4 px-4 py-8 animate-late sm:px-6"
      role="status"
      aria-label={t("common.loading")}
    >
      <Skeleton className="ml-auto h-10 w-1/2" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-4/5" />
    </div>
  );
}
