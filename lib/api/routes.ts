/** Every URL of the HTTP API is spelt here. */
const e = encodeURIComponent;

export const routes = {
  health: () => "/api/health",
  /** One connection for every stream of a browser, and what it carries. */
  stream: () => "/api/stream",
  streamChange: (id: string) => `/api/stream/${e(id)}`,
  me: () => "/api/me",
  password: () => "/api/me/password",
  signIns: () => "/api/me/sign-ins",
  signIn: (id: string) => `${routes.signIns()}/${e(id)}`,
  tokens: () => "/api/me/tokens",
  token: (id: string) => `${routes.tokens()}/${e(id)}`,
  users: () => "/api/users",
  user: (user: string) => `${routes.users()}/${e(user)}`,
  invitation: (user: string) => `${routes.user(user)}/invitation`,
  signInLink: () => "/api/auth-link",
  projects: () => "/api/projects",
  project: (project: string) => `/api/projects/${e(project)}`,
  models: (project: string) => `${routes.project(project)}/models`,
  modelTest: (project: string) => `${routes.models(project)}/test`,
  modelDetect: (project: string) => `${routes.models(project)}/detect`,
  modelCatalog: (project: string) => `${routes.models(project)}/catalog`,
  localModels: (project: string) => `${routes.models(project)}/local`,
  modelUses: (project: string, provider: string, model: string) =>
    `${routes.models(project)}/uses?provider=${e(provider)}&model_id=${e(model)}`,
  status: (project: string) => `${routes.project(project)}/status`,
  marks: (project: string) => `${routes.project(project)}/marks`,
  approvals: (project: string) => `${routes.project(project)}/approvals`,
  members: (project: string) => `${routes.project(project)}/members`,
  member: (project: string, user: string) => `${routes.members(project)}/${e(user)}`,
  projectContents: (project: string) => `${routes.project(project)}/contents`,
  audit: (project: string, { kind, by, before }: { kind?: string; by?: string; before?: number } = {}) => {
    const query = new URLSearchParams({ limit: "50" });
    if (kind) query.set("kind", kind);
    if (by) query.set("by", by);
    if (before !== undefined) query.set("before", String(before));
    return `${routes.project(project)}/audit?${query}`;
  },
  allowances: (project: string) => `${routes.project(project)}/allowances`,
  isolation: (project: string) => `${routes.project(project)}/isolation`,
  commandPolicy: (project: string) => `${routes.project(project)}/command-policy`,
  agents: (project: string) => `${routes.project(project)}/agents`,
  agent: (project: string, agent: string) => `${routes.agents(project)}/${e(agent)}`,
  folders: (project: string, agent: string) => `${routes.agent(project, agent)}/folders`,
  skills: (project: string, agent: string) => `${routes.agent(project, agent)}/skills`,
  sessions: (project: string, agent: string) => `${routes.agent(project, agent)}/sessions`,
  session: (ref: SessionRef) => `${routes.sessions(ref.project, ref.agent)}/${e(ref.session)}`,
  messages: (ref: SessionRef) => `${routes.session(ref)}/messages`,
  events: (ref: SessionRef) => `${routes.session(ref)}/events`,
  tasks: (ref: SessionRef) => `${routes.session(ref)}/tasks`,
  steer: (ref: SessionRef) => `${routes.session(ref)}/steer`,
  queued: (ref: SessionRef, id: string) => `${routes.session(ref)}/queue/${e(id)}`,
  approval: (ref: SessionRef, id: string) => `${routes.session(ref)}/approvals/${e(id)}`,
  abort: (ref: SessionRef) => `${routes.session(ref)}/abort`,
  compact: (ref: SessionRef) => `${routes.session(ref)}/compact`,
  retry: (ref: SessionRef) => `${routes.session(ref)}/retry`,
  scratchpadFile: (ref: SessionRef, name: string) => `${routes.session(ref)}/scratchpad/${e(name)}`,
  files: (ref: SessionRef, path = "") => `${routes.session(ref)}/files?path=${e(path)}`,
  fileContent: (ref: SessionRef, path: string, as: "inline" | "text" | "page" | "page_with_scripts" | "download") =>
    `${routes.session(ref)}/files/content?as=${as}&path=${e(path)}`,
  fileUpload: (ref: SessionRef, path: string, replace: boolean) =>
    `${routes.session(ref)}/files/content?path=${e(path)}${replace ? "&replace=1" : ""}`,
  filesKnown: (ref: SessionRef) => `${routes.session(ref)}/files/known`,
  /** Share links of a Session, what a new one would show, and those of a whole Project. */
  sessionShares: (ref: SessionRef) => `${routes.session(ref)}/shares`,
  sharePreview: (ref: SessionRef) => `${routes.sessionShares(ref)}/preview`,
  shares: (project: string) => `${routes.project(project)}/shares`,
  share: (project: string, id: string) => `${routes.shares(project)}/${e(id)}`,
  shareReads: (project: string, id: string) => `${routes.share(project, id)}/reads`,
  fork: (ref: SessionRef) => `${routes.session(ref)}/fork`,
  processes: (ref: SessionRef) => `${routes.session(ref)}/processes`,
  process: (ref: SessionRef, id: string) => `${routes.processes(ref)}/${e(id)}`,
  processStop: (ref: SessionRef, id: string) => `${routes.process(ref, id)}/stop`,
  traces: (project: string, agent: string) => `${routes.agent(project, agent)}/traces`,
  trace: (ref: TraceRef) => `${routes.traces(ref.project, ref.agent)}/${e(ref.session)}/${ref.index}`,
  traceRecord: (ref: TraceRef, line: number) => `${routes.trace(ref)}/records/${line}`,
  traceRaw: (ref: TraceRef) => `${routes.trace(ref)}/raw`,
  traceOverview: (ref: SessionRef) => `${routes.traces(ref.project, ref.agent)}/${e(ref.session)}`,
  traceAnalysis: (ref: SessionRef) => `${routes.traceOverview(ref)}/analysis`,
  traceSearch: (ref: SessionRef) => `${routes.traceOverview(ref)}/search`,
  traceBundle: (ref: SessionRef) => `${routes.traceOverview(ref)}/bundle`,
  traceBundles: (project: string, agent: string) => `${routes.agent(project, agent)}/trace-bundles`,
  traceCompare: (project: string) => `${routes.project(project)}/trace-compare`,
  traceOtlp: (ref: SessionRef) => `${routes.traceOverview(ref)}/otlp`,
  /** `query`: filters of lib/api/usage, as they stand in the address bar. */
  usage: (project: string, query = "") => `${routes.project(project)}/usage${query && `?${query}`}`,
  usageRequests: (project: string, query = "") => `${routes.project(project)}/usage/requests${query && `?${query}`}`,
  usageCsv: (project: string, query = "") => `${routes.project(project)}/usage.csv${query && `?${query}`}`,
  sessionUsage: (ref: SessionRef, newest: number) => `${routes.session(ref)}/usage?newest=${newest}`,
  ownUsage: (query = "") => `/api/me/usage${query && `?${query}`}`,
  budgets: (project: string, query = "") => `${routes.project(project)}/budgets${query && `?${query}`}`,
  projectTraceSearch: (project: string) => `${routes.project(project)}/trace-search`,
};

/** The key of a Session: ids are unique only under their Agent. */
export interface SessionRef {
  project: string;
  agent: string;
  session: string;
}
export interface TraceRef extends SessionRef {
  index: number;
}
