"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Folder, ScrollText } from "lucide-react";
import dynamic from "next/dynamic";
import { type KeyboardEvent, useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { behind } from "@/components/ui/behind";
import { cn } from "@/components/ui/cn";
import { isComposing } from "@/components/ui/keys";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { RailButton } from "@/components/ui/navigation";
import { Explained } from "@/components/ui/scroll-pre";
import { Skeleton } from "@/components/ui/skeleton";
import { Tooltip } from "@/components/ui/tooltip";
import { places } from "@/lib/api/places";
import type { SessionView } from "@/lib/api/schemas";
import { duration, money, percent, shortCount } from "@/lib/format";
import { elapsed } from "@/lib/trace/transcript";
import type { Transcript } from "@/lib/trace/transcript-items";
import { useConversation } from "./conversation-context";
import { ConversationMenu } from "./conversation-menu";
import { Elapsed } from "./elapsed";
import { Here } from "./here";
import { PanelButtons } from "./panel/panel-buttons";
import { patchSession } from "./session-actions";
import type { SessionState } from "./session-store";
import { SessionUsageButton, useFreshUsage, useSessionUsage, useWiderUsage } from "./session-usage";

// Seldom: not in the first view of every conversation.
const RunningCommands = dynamic(
  behind(() => import("./running-commands").then((module) => module.RunningCommands)),
  {
    ssr: false,
  },
);

interface HeaderProps {
  session: SessionView | undefined;
  state: SessionState;
}

/** Which conversation this is, what it runs on, and what it has used. */
export function ConversationHeader({ session, state }: HeaderProps) {
  const { transcript } = state;
  const { sessionRef } = useConversation();
  const t = useT();
  const title = transcript.info?.title ?? session?.title ?? null;
  const model = transcript.meta?.model_id ?? session?.model_id;
  const workspace = transcript.meta?.workspace ?? session?.workspace;
  const gone = state.connection === "gone";
  const newest = transcript.tasks.at(-1)?.items.findLast((item) => item.address)?.address;
  return (
    // By its own room, not by the window's: a panel beside the conversation takes some. One row, or two as on a phone.
    <div className="@container shrink-0">
      <header className="flex min-h-12 items-center gap-x-3 gap-y-0.5 border-b px-4 py-1.5 @max-2xl:flex-wrap">
        <RailButton />
        <Title title={title} known={title !== null || session !== undefined || state.loaded} gone={gone} />
        <div className="flex min-w-0 items-center gap-2 text-xs text-dim @max-2xl:order-2">
          {model && (
            <Tooltip text={transcript.meta?.provider ?? session?.provider ?? ""}>
              <Explained className="max-w-44 shrink-0 truncate rounded-full border px-2 py-0.5 font-mono text-xs">
                {model}
              </Explained>
            </Tooltip>
          )}
          {workspace && (
            <Tooltip text={workspace}>
              <Explained className="inline-flex min-w-0 max-w-48 items-center gap-1.5 truncate">
                <Folder className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
                <span className="truncate">{workspace.split(/[\\/]/).at(-1)}</span>
              </Explained>
            </Tooltip>
          )}
          {session?.visibility === "private" && <Badge>{t("chat.private")}</Badge>}
        </div>
        <div className="ml-auto flex items-center gap-3 text-xs text-dim @2xl:shrink-0 @max-2xl:order-2 @max-2xl:ml-0">
          <Here people={state.people} />
          {state.run.commands ? <RunningCommands count={state.run.commands} /> : null}
          <Totals state={state} />
          <ContextMeter
            transcript={transcript}
            window={session?.context_window ?? numeric(transcript.meta?.model_context_window)}
          />
        </div>
        <div className={cn("flex shrink-0 items-center gap-1 text-dim @max-2xl:order-1", gone && "hidden")}>
          {newest && (
            <Tooltip text={t("chat.open_trace")} side="bottom">
              <Link
                href={places.trace({ ...sessionRef, index: newest.file_index })}
                aria-label={t("chat.open_trace")}
                className="inline-flex size-7 items-center justify-center rounded-md hover:bg-hover hover:text-ink"
              >
                <ScrollText className="size-4" aria-hidden="true" />
              </Link>
            </Tooltip>
          )}
          <PanelButtons transcript={transcript} />
          <ConversationMenu session={session} />
        </div>
      </header>
    </div>
  );
}

function numeric(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

interface TitleProps {
  title: string | null;
  /** Whether it has a title is known by now. */
  known: boolean;
  gone: boolean;
}

function Title({ title, known, gone }: TitleProps) {
  const t = useT();
  const { sessionRef, canWork } = useConversation();
  const client = useQueryClient();
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const done = useRef(false);
  const finish = async (keep: boolean) => {
    if (done.current) return;
    done.current = true;
    const next = draft?.trim() ?? "";
    setDraft(null);
    if (!keep || next === "" || next === title) return;
    const result = await patchSession(sessionRef, { title: next.slice(0, 120) });
    setError(result.ok ? null : result.error.message);
    void client.invalidateQueries({ queryKey: ["sessions"] });
    void client.invalidateQueries({ queryKey: ["session"] });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Enter") void finish(true);
    if (event.key === "Escape") void finish(false);
  };
  if (draft !== null) {
    return (
      <input
        aria-label={t("chat.title")}
        value={draft}
        maxLength={120}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => finish(true)}
        className="-ml-1.5 h-8 w-72 max-w-full rounded-md border border-line-strong bg-surface px-1.5 text-base font-medium"
      />
    );
  }
  if (gone) return <h1 className="min-w-0 flex-1 truncate text-base font-medium">{t("common.not_found")}</h1>;
  return (
    <div className="-ml-1.5 flex min-w-0 max-w-full items-center gap-2 @max-2xl:flex-1 @max-2xl:basis-40">
      <h1 className="min-w-0 text-base font-medium">
        <button
          type="button"
          disabled={!canWork || !known}
          title={canWork ? t("chat.rename") : undefined}
          onClick={() => {
            done.current = false;
            setDraft(title ?? "");
          }}
          className={cn(
            "block max-w-full truncate rounded-md px-1.5 py-1 text-left @2xl:max-w-80",
            canWork && "hover:bg-hover",
            !title && "text-dim",
          )}
        >
          {known ? (title ?? t("nav.untitled")) : <Loading />}
        </button>
      </h1>
      {error && (
        <span role="alert" className="text-xs text-danger">
          {error}
        </span>
      )}
    </div>
  );
}

function Loading() {
  const t = useT();
  return (
    <>
      <span className="sr-only">{t("common.loading")}</span>
      <Skeleton className="h-5 w-40" />
    </>
  );
}

/** Tokens, cost and working time of the whole conversation. */
function Totals({ state: { transcript, run } }: { state: SessionState }) {
  const { tasks, session_tokens: tokens, elapsed_before_ms } = transcript;
  const usage = useSessionUsage();
  useWiderUsage(tasks.length);
  const running = run.state !== "idle";
  // The same however many older messages are loaded. A Task whose first Request runs has used nothing yet.
  const used = tasks.at(-1)?.stats.requests === 0 ? tasks.slice(0, -1) : tasks;
  const ended = `${transcript.tasks_before + used.length} ${used.at(-1)?.stats.requests ?? 0}`;
  useFreshUsage(ended, running);
  const ms = tasks.slice(0, running ? -1 : undefined).reduce((sum, task) => sum + elapsed(task), elapsed_before_ms);
  const since = run.since ?? tasks.at(-1)?.stats.started_at;
  if (tokens.total === 0 && !running && !usage?.total.requests) return null;
  // While the first Request runs, nothing is known of it yet.
  const counted = usage && usage.total.requests > 0 && (!running || usage.total.tokens.total > 0);
  return (
    <>
      {counted ? <SessionUsageButton usage={usage} /> : <Loaded transcript={transcript} />}
      {running && since ? <Elapsed since={since} extraMs={ms} /> : <span className="tabular">{duration(ms)}</span>}
    </>
  );
}

/** Until the server has counted: the sums of what is loaded. */
function Loaded({ transcript: { tasks, session_tokens: tokens, more } }: { transcript: Transcript }) {
  const t = useT();
  const cost = tasks.reduce((sum, { stats }) => sum + stats.cost, 0);
  const priced = tasks.some(({ stats }) => stats.priced > 0);
  const partial = more || tasks.some(({ stats }) => stats.unpriced > 0);
  return (
    <>
      <Tooltip
        text={t("chat.tokens_session", {
          cached: shortCount(tokens.cache_read),
          input: shortCount(tokens.cache_write),
          output: shortCount(tokens.output),
        })}
        side="bottom"
      >
        <Explained className="tabular">{t("chat.tokens_total", { total: shortCount(tokens.total) })}</Explained>
      </Tooltip>
      {priced && (
        <span className="tabular" title={partial ? t("chat.cost_partial") : undefined}>
          {cost === 0 && !partial ? t("chat.free") : money(cost)}
          {partial ? "+" : ""}
        </span>
      )}
    </>
  );
}

/** How full the model's context is; unknown right after a compaction. */
export function ContextMeter({ transcript, window }: { transcript: Transcript; window: number | undefined }) {
  const t = useT();
  const { context, context_full: full, tasks } = transcript;
  if (tasks.length === 0) return null;
  const share = full ? 1 : context !== null && window ? Math.min(1, context / window) : null;
  const words = full
    ? t("chat.context_full")
    : context === null
      ? t("chat.context_unknown")
      : t("chat.context_detail", {
          used: shortCount(context),
          window: window ? shortCount(window) : "?",
          share: percent(share),
        });
  return (
    <Tooltip text={words} side="bottom">
      <Explained className="flex items-center gap-1.5">
        <span aria-hidden="true" className="h-1.5 w-12 overflow-hidden rounded-full bg-press">
          <span
            className={cn("block h-full rounded-full", share !== null && share > 0.8 ? "bg-attention" : "bg-accent")}
            style={{ width: `${(share ?? 0) * 100}%` }}
          />
        </span>
        <span className="tabular">{share === null ? "–" : percent(share)}</span>
        <span className="sr-only">{words}</span>
      </Explained>
    </Tooltip>
  );
}
