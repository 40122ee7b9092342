"use client";
import { useQueries } from "@tanstack/react-query";
import { Search, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { type T, useT } from "@/components/ui/language";
import { SkeletonLines } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/states";
import { useNow } from "@/components/ui/time";
import { useRemembered } from "@/components/ui/use-remembered";
import { queries } from "@/lib/api/queries";
import type { AgentView, Marks, SessionView } from "@/lib/api/schemas";
import { ConversationFolder } from "./conversation-folder";
import { ConversationRow } from "./conversation-row";
import { GROUPINGS, type GroupName, groupBy, isUnread, keyOf } from "./conversations";
import { ListOptions } from "./list-options";
import { type useConversations, useSessionPages } from "./use-conversations";
import { useMarks } from "./use-marks";
import { useRole } from "./use-role";

const FOLDERS = ["subagent", "schedule", "archived"] as const;
const SETTLE_MS = 150;
const MAX_PINS_APART = 20;

interface ConversationListProps {
  project: string;
  conversations: ReturnType<typeof useConversations>;
}

/** Conversations in groups, pinned ones first, with search in the titles of all. */
export function ConversationList({ project, conversations }: ConversationListProps) {
  const t = useT();
  const now = useNow();
  const [query, setQuery] = useState("");
  const [grouping, setGrouping] = useRemembered("list-group", GROUPINGS, "date");
  const { sessions, agents, live, counts, loading, failure, more } = conversations;
  const { marks, change } = useMarks(project);
  const pinned = usePinned(project, marks, sessions);
  const canWork = (useRole(project) ?? "viewer") !== "viewer";
  const pins = new Set(marks?.pins);
  const row = (session: SessionView) => (
    <ConversationRow
      key={keyOf(session)}
      project={project}
      session={session}
      live={live.get(keyOf(session))}
      canWork={canWork}
      pinned={pins.has(keyOf(session))}
      unread={isUnread(session, marks)}
      onMark={change}
      agentName={
        agents.length > 1 && grouping !== "agent" ? agents.find(({ id }) => id === session.agent)?.name : undefined
      }
    />
  );
  const rest = sessions.filter((session) => !pins.has(keyOf(session)));
  const any = sessions.length > 0 || counts.archived + counts.subagent + counts.schedule > 0;

  return (
    <section aria-labelledby="rail-conversations">
      <div className="flex items-center justify-between pt-4 pr-1 pb-1">
        <h2 id="rail-conversations" className="px-2 text-xs font-medium text-faint">
          {t("nav.conversations")}
        </h2>
        <ListOptions
          grouping={grouping}
          onGrouping={setGrouping}
          onAllSeen={() => void change({ read_before: new Date().toISOString() })}
        />
      </div>
      {(any || query || loading) && <SearchBox query={query} onChange={setQuery} />}
      {failure && (
        <ErrorState title={t("nav.conversations_failed")} onRetry={conversations.retry} className="mx-1 my-2">
          {failure.code === "network" ? t("network") : failure.message}
        </ErrorState>
      )}
      {query.trim() !== "" ? (
        <Results {...{ project, agents, query, row }} />
      ) : (
        <>
          {!loading && !failure && !any && <p className="px-2 py-1 text-xs text-dim">{t("nav.no_conversations")}</p>}
          {pinned.length > 0 && <Section title={t("list.pinned")}>{pinned.map(row)}</Section>}
          {loading && sessions.length === 0 && (
            <SkeletonLines lines={5} label={t("common.loading")} className="px-2 pt-2" />
          )}
          {now !== null &&
            groupBy(rest, grouping, { now, agents }).map(({ id, name, sessions: members }) => (
              <Section key={id} title={groupTitle(t, name)} detail={"path" in name ? name.path : undefined}>
                {members.map(row)}
              </Section>
            ))}
          {more && (
            <Button variant="ghost" size="sm" className="mx-2 mt-1" onClick={conversations.showMore}>
              {t("common.show_more")}
            </Button>
          )}
          <div className="pt-2">
            {FOLDERS.map((category) => (
              <ConversationFolder key={category} {...{ project, agents, category, row }} count={counts[category]} />
            ))}
          </div>
        </>
      )}
    </section>
  );
}

function Section({ title, detail, children }: { title: string; detail?: string; children: ReactNode }) {
  return (
    <div className="pb-1">
      <h3 className="truncate px-2 pt-2 pb-1 text-xs text-faint" title={detail}>
        {title}
      </h3>
      <ul>{children}</ul>
    </div>
  );
}

function groupTitle(t: T, name: GroupName): string {
  if ("day" in name) return t(`nav.${name.day}`);
  return "temporary" in name ? t("list.temporary") : name.name;
}

/** Pinned Sessions in their order; those that are not among the loaded ones are fetched one by one. */
function usePinned(project: string, marks: Marks | undefined, loaded: readonly SessionView[]): SessionView[] {
  const pins = marks?.pins ?? [];
  const byKey = new Map(loaded.map((session) => [keyOf(session), session]));
  const apart = pins.filter((key) => !byKey.has(key)).slice(0, MAX_PINS_APART);
  const fetched = useQueries({
    queries: apart.map((key) => {
      const [agent = "", session = ""] = key.split("/");
      return { ...queries.session({ project, agent, session }), staleTime: 60_000, retry: false };
    }),
  });
  for (const { data } of fetched) if (data) byKey.set(keyOf(data), data);
  return pins.flatMap((key) => byKey.get(key) ?? []);
}

interface ResultsProps {
  project: string;
  agents: readonly AgentView[];
  query: string;
  row: (session: SessionView) => ReactNode;
}

/** All conversations whose title fits, loaded or not, also archived ones and those of subagents. */
function Results({ project, agents, query, row }: ResultsProps) {
  const t = useT();
  const q = useSettled(query.trim());
  const { sessions, loading } = useSessionPages(project, agents, { limit: 50, q });
  if (sessions.length > 0) return <Section title={t("list.results")}>{sessions.map(row)}</Section>;
  return (
    <p role="status" className="px-2 py-1 text-xs text-dim">
      {loading ? t("list.searching") : t("nav.search_none", { query: q })}
    </p>
  );
}

/** A value once it rests: not every letter is worth a request. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function SearchBox({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  const t = useT();
  return (
    <div className="relative mb-1">
      <Search className="pointer-events-none absolute top-2 left-2 size-4 text-faint" aria-hidden="true" />
      <input
        type="search"
        value={query}
        aria-label={t("nav.search")}
        placeholder={t("nav.search")}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onChange("");
        }}
        className="h-8 w-full rounded-md border border-transparent bg-transparent pr-8 pl-8.5 text-sm text-ink placeholder:text-faint hover:bg-hover focus:border-line-strong focus:bg-surface max-sm:text-lg [&::-webkit-search-cancel-button]:hidden"
      />
      {query && (
        <button
          type="button"
          aria-label={t("nav.search_clear")}
          onClick={() => onChange("")}
          className="absolute top-1 right-1 flex size-6 items-center justify-center rounded-md text-faint hover:bg-hover hover:text-ink"
        >
          <X className="size-4" aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
