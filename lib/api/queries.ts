/** Keys and fetchers of what several views read: one definition, one cache entry. No React here. */
import { ask } from "./client";
import { routes, type SessionRef } from "./routes";
import type { AgentView, Me, ModelsView, ProjectStatus, SessionsPage, SessionView } from "./schemas";

interface FetchContext {
  signal: AbortSignal;
}

export const queries = {
  me: () => ({
    queryKey: ["me"] as const,
    queryFn: ({ signal }: FetchContext) => ask<Me>(routes.me(), signal),
  }),
  agents: (project: string) => ({
    queryKey: ["agents", project] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ agents: AgentView[] }>(routes.agents(project), signal)).agents,
  }),
  models: (project: string) => ({
    queryKey: ["models", project] as const,
    queryFn: ({ signal }: FetchContext) => ask<ModelsView>(routes.models(project), signal),
  }),
  status: (project: string) => ({
    queryKey: ["status", project] as const,
    queryFn: ({ signal }: FetchContext) => ask<ProjectStatus>(routes.status(project), signal),
  }),
  /** The newest conversations of one Agent. */
  sessions: (project: string, agent: string, limit: number) => ({
    queryKey: ["sessions", project, agent, limit] as const,
    queryFn: ({ signal }: FetchContext) =>
      ask<SessionsPage>(`${routes.sessions(project, agent)}?limit=${limit}`, signal),
  }),
  session: (ref: SessionRef) => ({
    queryKey: ["session", ref.project, ref.agent, ref.session] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ session: SessionView }>(routes.session(ref), signal)).session,
  }),
};
