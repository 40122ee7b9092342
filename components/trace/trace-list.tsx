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
import { ImportDialog } from "./import-dialog";
import { TraceTable } from "./trace-table";
import { useFileDrop } from "./use-file-drop";

interface TraceListProps {
  project: string;
  /** The Agent that the address names. */
  initialAgent?: string;
  canImport: boolean;
}

/** All Sessions of an Agent with their files; files are exported and imported here. */
export function TraceList({ project, initialAgent, canImport }: TraceListProps) {
  const t = useT();
  const agents = useQuery(queries.agents(project));
  const [chosen, setChosen] = useState(initialAgent);
  const agent = agents.data?.find(({ id }) => id === chosen) ?? agents.data?.[0];
  const traces = useInfiniteQuery({ ...queries.traces(project, agent?.id ?? ""), enabled: agent !== undefined });
  const sessions = traces.data?.pages.flatMap((page) => page.sessions) ?? [];
  const [importing, setImporting] = useState<{ file: File | null } | null>(null);
  const drop = useFileDrop(canImport && !importing, (file) => setImporting({ file }));
  const error = agents.error ?? traces.error;

  const choose = (id: string) => {
    setChosen(id);
    history.replaceState(history.state, "", places.traces(project, id));
  };
  const importButton = canImport && (
    <Button size="sm" onClick={() => setImporting({ file: null })} disabled={!agent}>
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
          {error && (
            <ErrorState title={t("trace.failed")} onRetry={() => void (agents.error ? agents : traces).refetch()}>
              {failureFrom(error).code === "network" ? t("network") : failureFrom(error).message}
            </ErrorState>
          )}
          {!error && traces.isPending && <SkeletonLines lines={6} label={t("common.loading")} />}
          {!error && traces.data && sessions.length === 0 && agent && (
            <EmptyState icon={<ScrollText aria-hidden="true" />} title={t("trace.empty")} action={importButton}>
              {t("trace.empty_body", { agent: agent.name })}
            </EmptyState>
          )}
          {agent && sessions.length > 0 && <TraceTable project={project} agent={agent.id} sessions={sessions} />}
          {traces.hasNextPage && (
            <Button className="mt-4" busy={traces.isFetchingNextPage} onClick={() => void traces.fetchNextPage()}>
              {t("common.show_more")}
            </Button>
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
          initialFile={importing.file}
          onClose={() => setImporting(null)}
        />
      )}
    </div>
  );
}
