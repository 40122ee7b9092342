/** Keys and fetchers of what several views read: one definition, one cache entry. No React here. */
import type { Catalog } from "../model/catalog";
import type { AuditPage } from "./audit";
import { ask, askIfChanged, askText } from "./client";
import type { CommandPolicyView } from "./command-policy";
import type { FolderView } from "./files";
import type { IsolationView } from "./isolation";
import { routes, type SessionRef, type TraceRef } from "./routes";
import type {
  AgentView,
  FoldersView,
  LocalServer,
  Marks,
  Me,
  ModelsView,
  ProcessView,
  ProjectStatus,
  SessionCategory,
  SessionsPage,
  SessionView,
  SkillView,
  TraceRowsPage,
  TracesPage,
  WaitingApproval,
} from "./schemas";
import type {
  MemberView,
  ProjectContents,
  ProjectsView,
  ProjectView,
  SignInView,
  TokenView,
  UserBelongings,
  UserView,
} from "./team";
import type { TraceOverview } from "./trace-overview";
import type { SummariesPage } from "./trace-summary";
import type { BudgetsView, OwnUsage, SessionUsage, UsageRequestsPage, UsageView } from "./usage";

interface SessionsQuery {
  limit: number;
  category?: SessionCategory;
  /** Words of the title. */
  q?: string;
}

interface FetchContext {
  signal: AbortSignal;
}

/** What several queries have in common. */
export const keys = {
  sessionUsage: (ref: SessionRef) => ["session-usage", ref.project, ref.agent, ref.session] as const,
};

export const queries = {
  me: () => ({
    queryKey: ["me"] as const,
    queryFn: ({ signal }: FetchContext) => ask<Me>(routes.me(), signal),
  }),
  users: () => ({
    queryKey: ["users"] as const,
    queryFn: async ({ signal }: FetchContext) => (await ask<{ users: UserView[] }>(routes.users(), signal)).users,
  }),
  /** What becomes of a person's things. */
  belongings: (user: string) => ({
    queryKey: ["belongings", user] as const,
    queryFn: ({ signal }: FetchContext) => ask<UserBelongings>(routes.user(user), signal),
    staleTime: 0,
  }),
  signIns: () => ({
    queryKey: ["sign-ins"] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ sign_ins: SignInView[] }>(routes.signIns(), signal)).sign_ins,
  }),
  tokens: () => ({
    queryKey: ["tokens"] as const,
    queryFn: async ({ signal }: FetchContext) => (await ask<{ tokens: TokenView[] }>(routes.tokens(), signal)).tokens,
  }),
  projects: () => ({
    queryKey: ["projects"] as const,
    queryFn: ({ signal }: FetchContext) => ask<ProjectsView>(routes.projects(), signal),
  }),
  project: (project: string) => ({
    queryKey: ["project", project] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ project: ProjectView }>(routes.project(project), signal)).project,
  }),
  isolation: (project: string) => ({
    queryKey: ["isolation", project] as const,
    queryFn: ({ signal }: FetchContext) => ask<IsolationView>(routes.isolation(project), signal),
  }),
  commandPolicy: (project: string) => ({
    queryKey: ["command-policy", project] as const,
    queryFn: ({ signal }: FetchContext) => ask<CommandPolicyView>(routes.commandPolicy(project), signal),
  }),
  /** The audit log, newest first, one page. */
  audit: (project: string, filters: { kind?: string; by?: string }) => ({
    queryKey: ["audit", project, filters.kind ?? "", filters.by ?? ""] as const,
    queryFn: ({ signal, pageParam }: FetchContext & { pageParam: number | undefined }) =>
      ask<AuditPage>(routes.audit(project, { ...filters, before: pageParam }), signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page: AuditPage) => page.before,
  }),
  projectContents: (project: string) => ({
    queryKey: ["project-contents", project] as const,
    queryFn: ({ signal }: FetchContext) => ask<ProjectContents>(routes.projectContents(project), signal),
    staleTime: 0,
  }),
  members: (project: string) => ({
    queryKey: ["members", project] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ members: MemberView[] }>(routes.members(project), signal)).members,
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
  /** What is known about the models of the big vendors. */
  modelCatalog: (project: string) => ({
    queryKey: ["model-catalog", project] as const,
    queryFn: ({ signal }: FetchContext) => ask<Catalog>(routes.modelCatalog(project), signal),
    staleTime: Number.POSITIVE_INFINITY,
  }),
  /** Model servers on the server's own machine; for admins. */
  localModels: (project: string) => ({
    queryKey: ["local-models", project] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ servers: LocalServer[] }>(routes.localModels(project), signal)).servers,
    staleTime: 60_000,
  }),
  status: (project: string) => ({
    queryKey: ["status", project] as const,
    queryFn: ({ signal }: FetchContext) => askIfChanged<ProjectStatus>(routes.status(project), signal),
  }),
  /** The newest conversations of one Agent; without a category all kinds. */
  sessions: (project: string, agent: string, { limit, category, q }: SessionsQuery) => ({
    queryKey: ["sessions", project, agent, category ?? "all", q ?? "", limit] as const,
    queryFn: ({ signal }: FetchContext) => {
      const params = new URLSearchParams({
        limit: String(limit),
        ...(category ? { category } : {}),
        ...(q ? { q } : {}),
      });
      return ask<SessionsPage>(`${routes.sessions(project, agent)}?${params}`, signal);
    },
  }),
  marks: (project: string) => ({
    queryKey: ["marks", project] as const,
    queryFn: ({ signal }: FetchContext) => ask<Marks>(routes.marks(project), signal),
  }),
  approvals: (project: string) => ({
    queryKey: ["approvals", project] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ approvals: WaitingApproval[] }>(routes.approvals(project), signal)).approvals,
  }),
  session: (ref: SessionRef) => ({
    queryKey: ["session", ref.project, ref.agent, ref.session] as const,
    queryFn: ({ signal }: FetchContext) => ask<SessionView>(routes.session(ref), signal),
  }),
  /** What an Agent knows how to do. */
  skills: (project: string, agent: string) => ({
    queryKey: ["skills", project, agent] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ skills: SkillView[] }>(routes.skills(project, agent), signal)).skills,
  }),
  /** One level of the folders on the server in which a Session may work; "" is where it begins. */
  folders: (project: string, agent: string, path: string) => ({
    queryKey: ["folders", project, agent, path] as const,
    queryFn: ({ signal }: FetchContext) =>
      ask<FoldersView>(`${routes.folders(project, agent)}${path ? `?path=${encodeURIComponent(path)}` : ""}`, signal),
  }),
  /** Commands of a Session that run in the background. */
  processes: (ref: SessionRef) => ({
    queryKey: ["processes", ref.project, ref.agent, ref.session] as const,
    queryFn: async ({ signal }: FetchContext) =>
      (await ask<{ processes: ProcessView[] }>(routes.processes(ref), signal)).processes,
  }),
  /** One folder of a Session's Workspace. */
  folder: (ref: SessionRef, path: string) => ({
    queryKey: ["folder", ref.agent, ref.session, path] as const,
    queryFn: ({ signal }: FetchContext) => ask<FolderView>(routes.files(ref, path), signal),
  }),
  /** Sessions of an Agent and their Trace files, one page. */
  traces: (project: string, agent: string) => ({
    queryKey: ["traces", project, agent] as const,
    queryFn: ({ signal, pageParam }: FetchContext & { pageParam: string | undefined }) =>
      ask<TracesPage>(
        `${routes.traces(project, agent)}?limit=30${pageParam ? `&cursor=${encodeURIComponent(pageParam)}` : ""}`,
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: TracesPage) => page.next_cursor,
  }),
  /** What a Project has used; `query` as in the address bar. */
  usage: (project: string, query: string) => ({
    queryKey: ["usage", project, query] as const,
    queryFn: ({ signal }: FetchContext) => ask<UsageView>(routes.usage(project, query), signal),
  }),
  /** The Requests that a figure is made of, one page. */
  usageRequests: (project: string, query: string) => ({
    queryKey: ["usage-requests", project, query] as const,
    queryFn: ({ signal, pageParam }: FetchContext & { pageParam: string | null }) => {
      const cursor = pageParam ? `&cursor=${encodeURIComponent(pageParam)}` : "";
      return ask<UsageRequestsPage>(routes.usageRequests(project, `${query}&limit=100${cursor}`), signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: UsageRequestsPage) => page.next,
  }),
  /** A Session, with the Tasks that a page shows: so many of the newest, as the page says each time. */
  sessionUsage: (ref: SessionRef, newest: () => number) => ({
    queryKey: keys.sessionUsage(ref),
    queryFn: ({ signal }: FetchContext) => ask<SessionUsage>(routes.sessionUsage(ref, newest()), signal),
  }),
  /** One person in all of their Projects. */
  ownUsage: (query: string) => ({
    queryKey: ["own-usage", query] as const,
    queryFn: ({ signal }: FetchContext) => ask<OwnUsage>(routes.ownUsage(query), signal),
  }),
  /** With a model, `applies` is told for it. */
  budgets: (project: string, model?: { provider: string; model_id: string }) => ({
    queryKey: ["budgets", project, model ?? null] as const,
    queryFn: ({ signal }: FetchContext) =>
      ask<BudgetsView>(routes.budgets(project, model ? String(new URLSearchParams(model)) : ""), signal),
  }),
  /** A Session's Trace as a whole. */
  traceOverview: (ref: SessionRef) => ({
    queryKey: ["trace-overview", ref.project, ref.agent, ref.session] as const,
    queryFn: ({ signal }: FetchContext) => ask<TraceOverview>(routes.traceOverview(ref), signal),
  }),
  /** A line about each of so many physical lines of one file; `version`: the state of a window that may still grow. */
  traceSummaries: (ref: TraceRef, offset: number, limit: number, version = 0) => ({
    queryKey: ["trace-summaries", ref.project, ref.agent, ref.session, ref.index, offset, limit, version] as const,
    queryFn: ({ signal }: FetchContext) =>
      ask<SummariesPage>(`${routes.trace(ref)}?offset=${offset}&limit=${limit}&summaries=1`, signal),
  }),
  /** The record of one physical line, long strings shortened; `damaged`: one that may have become whole since. */
  traceRow: (ref: TraceRef, line: number, damaged = false) => ({
    queryKey: ["trace-row", ref.project, ref.agent, ref.session, ref.index, line, damaged] as const,
    queryFn: ({ signal }: FetchContext) =>
      ask<TraceRowsPage>(`${routes.trace(ref)}?offset=${line - 1}&limit=1`, signal),
    staleTime: damaged ? 0 : Number.POSITIVE_INFINITY,
  }),
  /** One line of a file, exactly as it stands there. */
  traceLine: (ref: TraceRef, line: number) => ({
    queryKey: ["trace-line", ref.project, ref.agent, ref.session, ref.index, line] as const,
    queryFn: async ({ signal }: FetchContext) => lineInside(await askText(routes.traceRecord(ref, line), signal), line),
    staleTime: Number.POSITIVE_INFINITY,
  }),
};

/** The bytes of a line in the answer `{"line":n,"message":<bytes>}`: cut out, not parsed, so that every spelling stays. */
export function lineInside(answer: string, line: number): string {
  const before = `{"line":${line},"message":`;
  return answer.startsWith(before) && answer.endsWith("}") ? answer.slice(before.length, -1) : answer;
}
