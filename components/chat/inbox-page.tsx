"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Folder, Hand } from "lucide-react";
import { useMemo, useState } from "react";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { PageHeader } from "@/components/ui/navigation";
import { SkeletonLines } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states";
import type { ApprovalDecided } from "@/lib/api/frames";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import type { WaitingApproval } from "@/lib/api/schemas";
import { ConversationProvider, type ConversationView } from "./conversation-context";
import { ChildApproval } from "./items/child-approval";
import { useNames } from "./use-who";
import { decisionWords, whoId } from "./who";

/** While this page is open it asks again, beside what the state of the Project tells. Milliseconds. */
const REFRESH_MS = 5_000;

interface InboxPageProps {
  project: string;
  userId: string;
  canWork: boolean;
}

interface Decided {
  approval: WaitingApproval;
  end: ApprovalDecided;
}

/** Every call of the Project that waits for a person, longest wait first. */
export function InboxPage({ project, userId, canWork }: InboxPageProps) {
  const t = useT();
  const names = useNames(project);
  const client = useQueryClient();
  const { data, isPending, error, refetch } = useQuery({
    ...queries.approvals(project),
    refetchInterval: REFRESH_MS,
    staleTime: 1_000,
  });
  const [decided, setDecided] = useState<readonly Decided[]>([]);
  const ended = new Set(decided.map(({ end }) => end.id));
  const waiting = data?.filter(({ id }) => !ended.has(id)) ?? [];
  const note = (approval: WaitingApproval, end: ApprovalDecided) => {
    setDecided((before) => [{ approval, end }, ...before].slice(0, 20));
    void client.invalidateQueries({ queryKey: ["status", project] });
    void client.invalidateQueries({ queryKey: ["approvals", project] });
  };
  return (
    <>
      <PageHeader title={t("inbox.title")} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-3xl px-4 py-5 md:px-6">
          {isPending && <SkeletonLines lines={4} label={t("common.loading")} />}
          {error && !data && <ErrorState title={t("inbox.failed")} onRetry={() => void refetch()} />}
          {data && waiting.length === 0 && (
            <EmptyState icon={<Hand aria-hidden="true" />} title={t("inbox.none")}>
              {t("inbox.none_body")}
            </EmptyState>
          )}
          <p role="status" className="sr-only">
            {waiting.length > 0 && t("nav.waiting", { count: waiting.length })}
          </p>
          <ul className="flex flex-col gap-4">
            {waiting.map((approval) => (
              <li key={approval.id}>
                <Card {...{ project, approval, userId, names, canWork }} onDecided={(end) => note(approval, end)} />
              </li>
            ))}
          </ul>
          {decided.length > 0 && (
            <section aria-label={t("inbox.done")} className="mt-8">
              <h2 className="mb-1 text-xs font-medium text-faint">{t("inbox.done")}</h2>
              <ul>
                {decided.map(({ approval, end }) => (
                  <li key={end.id} className="flex flex-wrap items-center gap-x-2 py-1 text-sm text-dim">
                    <Check className="size-4 shrink-0 text-faint" aria-hidden="true" />
                    <span className="font-mono text-xs">{approval.tool_call.name}</span>
                    <span title={whoId(end.by, { userId, names })}>
                      {decisionWords(t, end.decision, end.by || undefined, { userId, names })}
                    </span>
                    <Where project={project} approval={approval} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </>
  );
}

interface CardProps {
  project: string;
  approval: WaitingApproval;
  userId: string;
  names: ReadonlyMap<string, string>;
  canWork: boolean;
  onDecided: (end: ApprovalDecided) => void;
}

/** One call: where it is asked, everything it would do, and the decision. */
function Card({ project, approval, userId, names, canWork, onDecided }: CardProps) {
  const { agent, session_id: session } = approval;
  const view = useMemo(
    (): ConversationView => ({
      sessionRef: { project, agent, session },
      userId,
      names,
      canWork,
      active: true,
      approvals: [approval],
      subagents: [],
      decided: {},
      onDecided,
      onRetryNow: () => {},
      onStop: () => {},
    }),
    [project, agent, session, userId, names, canWork, approval, onDecided],
  );
  const folder = approval.workspace.split(/[\\/]/).at(-1);
  return (
    <article className="overflow-hidden rounded-lg border bg-surface shadow-control">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-2 text-xs text-dim">
        <span className="min-w-0 flex-1 basis-48 truncate text-sm">
          <Where project={project} approval={approval} />
        </span>
        <span className="font-mono">{approval.model_id}</span>
        {folder && (
          <span className="inline-flex max-w-48 items-center gap-1.5 truncate" title={approval.workspace}>
            <Folder className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
            {folder}
          </span>
        )}
      </header>
      <ConversationProvider value={view}>
        <ChildApproval approval={approval} />
      </ConversationProvider>
    </article>
  );
}

function Where({ project, approval }: { project: string; approval: WaitingApproval }) {
  const t = useT();
  const { agent, session_id: session, title, id } = approval;
  return (
    <Link
      href={`${places.conversation({ project, agent, session })}#approval-${id}`}
      title={t("inbox.open")}
      className="font-medium text-accent-ink hover:underline"
    >
      {title ?? t("nav.untitled")}
    </Link>
  );
}
