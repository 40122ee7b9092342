"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ScrollText, Upload } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { PageHeader } from "@/components/ui/navigation";
import { Select } from "@/components/ui/select";
import { SkeletonLines } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { failureFrom } from "@/lib/api/client";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import { type Asked, isAsked, queryOf } from "./asked";
import { ImportDialog } from "./import-dialog";
import { SearchForm } from "./search-form";
import { SearchResults } from "./search-results";
import { TraceTable } from "./trace-table";
import { useFileDrop } from "./use-file-drop";
import { useTraceSearch } from "./use-trace-search";

interface TraceListProps {
  project: string;
  /** The Agent that the address names. */
  initialAgent?: string;
  /** The search that the address names. */
  initialAsked: Asked;
  canImport: boolean;
}

/** How often the list is looked at again: other programs may add files. Milliseconds. */
const AGAIN_MS = 2000;

/** All Sessions of an Agent with their files, and a search over all Traces; files are exported and imported here. */
export function TraceList({ project, initialAgent, initialAsked, canImport }: TraceListProps) {
  const t = useT();
  const agents = useQuery(queries.agents(project));
  const [chosen, setChosen] = useState(initialAgent);
  const [asked, setAsked] = useState(initialAsked);
  const search = useTraceSearch(project, asked);
  const agent = agents.data?.find(({ id }) => id === chosen) ?? agents.data?.[0];
  const [importing, setImporting] = useState<{ files: File[] } | null>(null);
  const drop = useFileDrop(canImport && !importing, (files) => setImporting({ files }));

  const ask = (next: Asked) => {
    setAsked(next);
    const query = queryOf(next);
    history.replaceState(
      history.state,
      "",
      query ? `${places.traces(project)}?${query}` : places.traces(project, chosen),
    );
  };
  const choose = (id: string) => {
    setChosen(id);
    history.replaceState(history.state, "", places.traces(project, id));
  };
  const importButton = canImport && (
    <Button size="sm" onClick={() => setImporting({ files: [] })} disabled={!agent}>
      <Upload aria-hidden="true" />
      {t("import.action")}
    </Button>
  );

  return (
    <div className="relative flex min-h-0 flex-1 flex-col" {...drop.target}>
      <PageHeader
        title={t("trace.title")}
        actions={
          <>
            {agents.data && agents.data.length > 1 && agent && (
              <Select
                look="chip"
                label={t("trace.agent")}
                value={agent.id}
                onChange={choose}
                options={agents.data.map(({ id, name }) => ({ value: id, label: name }))}
              />
            )}
            {importButton}
          </>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-6xl px-4 py-5 md:px-6">
          <p className="mb-4 text-dim">{t("trace.lead")}</p>
          <SearchForm project={project} agents={agents.data ?? []} asked={asked} onAsk={ask} />
          {agents.error && (
            <ErrorState title={t("trace.failed")} onRetry={() => void agents.refetch()}>
              {failureFrom(agents.error).code === "network" ? t("network") : failureFrom(agents.error).message}
            </ErrorState>
          )}
          {agents.isPending && !isAsked(asked) && <SkeletonLines lines={6} label={t("common.loading")} />}
          {isAsked(asked) ? (
            <SearchResults project={project} text={asked.q.trim()} state={search.state} onStop={search.stop} />
          ) : (
            agent && <Sessions project={project} agent={agent} importButton={importButton} />
          )}
        </div>
      </div>
      {drop.over && (
        <div className="pointer-events-none absolute inset-2 z-30 flex items-center justify-center rounded-lg border-2 border-accent border-dashed bg-accent-soft/90 font-medium text-accent-ink">
          {t("import.drop_here")}
        </div>
      )}
      {importing && agents.data && agent && (
        <ImportDialog
          project={project}
          agents={agents.data}
          initialAgent={agent.id}
          initialFiles={importing.files}
          onClose={() => setImporting(null)}
        />
      )}
    </div>
  );
}

interface SessionsProps {
  project: string;
  agent: { id: string; name: string };
  importButton: React.ReactNode;
}

function Sessions({ project, agent, importButton }: SessionsProps) {
  const t = useT();
  const traces = useInfiniteQuery({ ...queries.traces(project, agent.id), refetchInterval: AGAIN_MS });
  const sessions = traces.data?.pages.flatMap((page) => page.sessions) ?? [];
  const failure = traces.error && !traces.data ? failureFrom(traces.error) : null;
  return (
    <>
      {failure && (
        <ErrorState title={t("trace.failed")} onRetry={() => void traces.refetch()}>
          {failure.code === "network" ? t("network") : failure.message}
        </ErrorState>
      )}
      {traces.isPending && <SkeletonLines lines={6} label={t("common.loading")} />}
      {traces.data && sessions.length === 0 && (
        <EmptyState icon={<ScrollText aria-hidden="true" />} title={t("trace.empty")} action={importButton}>
          {t("trace.empty_body", { agent: agent.name })}
        </EmptyState>
      )}
      {sessions.length > 0 && <TraceTable project={project} agent={agent.id} sessions={sessions} />}
      {traces.hasNextPage && (
        <Button className="mt-4" busy={traces.isFetchingNextPage} onClick={() => void traces.fetchNextPage()}>
          {t("common.show_more")}
        </Button>
      )}
    </>
  );
}
