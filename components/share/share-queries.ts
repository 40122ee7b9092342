/** What is asked about share links: loaded with the dialog and the list, not with every page. */
import { ask } from "@/lib/api/client";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { SessionShares, ShareRead, ShareView } from "@/lib/api/share";

interface FetchContext {
  signal: AbortSignal;
}

export const shareQueries = {
  session: (ref: SessionRef) => ({
    queryKey: ["shares", ref.project, ref.agent, ref.session] as const,
    queryFn: ({ signal }: FetchContext) => ask<SessionShares>(routes.sessionShares(ref), signal),
    staleTime: 0,
  }),
  project: (project: string) => ({
    queryKey: ["shares", project] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ links: ShareView[] }>(routes.shares(project), signal)).links,
    staleTime: 0,
  }),
  reads: (project: string, id: string) => ({
    queryKey: ["share-reads", project, id] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ reads: ShareRead[] }>(routes.shareReads(project, id), signal)).reads,
    staleTime: 0,
  }),
};
