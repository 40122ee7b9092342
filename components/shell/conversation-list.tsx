"use client";
import { useQuery } from "@tanstack/react-query";
import { Search, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { SkeletonLines } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/states";
import { useNow } from "@/components/ui/time";
import { queries } from "@/lib/api/queries";
import type { SessionView } from "@/lib/api/schemas";
import { ConversationRow } from "./conversation-row";
import { groupByDay, matchTitle } from "./conversations";
import type { useConversations } from "./use-conversations";

interface ConversationListProps {
  project: string;
  conversations: ReturnType<typeof useConversations>;
}

/** Conversations by day, with search in their titles. */
export function ConversationList({ project, conversations }: ConversationListProps) {
  const t = useT();
  const now = useNow();
  const [query, setQuery] = useState("");
  const { sessions, archived, agents, live, loading, failure, more } = conversations;
  const found = matchTitle(sessions, query);
  const put = matchTitle(archived, query);
  const many = agents.length > 1;
  const { data: me } = useQuery(queries.me());
  const canWork = (me?.projects.find(({ id }) => id === project)?.role ?? "viewer") !== "viewer";
  const row = (session: SessionView) => (
    <ConversationRow
      key={`${session.agent}/${session.id}`}
      project={project}
      session={session}
      live={live.get(`${session.agent}/${session.id}`)}
      canWork={canWork}
      agentName={many ? agents.find((agent) => agent.id === session.agent)?.name : undefined}
    />
  );

  return (
    <section aria-labelledby="rail-conversations">
      <h2 id="rail-conversations" className="px-2 pt-4 pb-1 text-xs font-medium text-faint">
        {t("nav.conversations")}
      </h2>
      {(sessions.length + archived.length > 0 || query) && <SearchBox query={query} onChange={setQuery} />}
      {loading && sessions.length === 0 && (
        <SkeletonLines lines={5} label={t("common.loading")} className="px-2 pt-2" />
      )}
      {failure && (
        <ErrorState title={t("nav.conversations_failed")} onRetry={conversations.retry} className="mx-1 my-2">
          {failure.code === "network" ? t("network") : failure.message}
        </ErrorState>
      )}
      {!loading && !failure && sessions.length === 0 && (
        <p className="px-2 py-1 text-xs text-dim">{t("nav.no_conversations")}</p>
      )}
      {query && found.length === 0 && sessions.length > 0 && (
        <p className="px-2 py-1 text-xs text-dim">{t("nav.search_none", { query })}</p>
      )}
      {now !== null &&
        groupByDay(found, now).map(({ group, sessions: members }) => (
          <div key={group} className="pb-1">
            <h3 className="px-2 pt-2 pb-1 text-xs text-faint">{t(`nav.${group}`)}</h3>
            <ul>{members.map(row)}</ul>
          </div>
        ))}
      {put.length > 0 && (
        <details className="pt-1">
          <summary className="cursor-pointer rounded-md px-2 py-1 text-xs text-faint hover:bg-hover">
            {t("nav.archived")} ({put.length})
          </summary>
          <ul>{put.map(row)}</ul>
        </details>
      )}
      {more && (
        <Button variant="ghost" size="sm" className="mx-2 mt-1" onClick={conversations.showMore}>
          {t("common.show_more")}
        </Button>
      )}
    </section>
  );
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
