/** Every address of a page is spelt here; `routes.ts` spells those of the HTTP API. */
import type { SessionRef, TraceRef } from "./routes";

const e = encodeURIComponent;

export const places = {
  project: (project: string) => `/p/${e(project)}`,
  newConversation: (project: string, agent: string) => `/p/${e(project)}/a/${e(agent)}/new`,
  conversation: (ref: SessionRef) => `/p/${e(ref.project)}/a/${e(ref.agent)}/s/${e(ref.session)}`,
  approvals: (project: string) => `/p/${e(project)}/approvals`,
  traces: (project: string, agent?: string) => `/p/${e(project)}/traces${agent ? `?agent=${e(agent)}` : ""}`,
  /** One file of a Trace, at one record if `line` is given. */
  trace: (ref: TraceRef, line?: number) =>
    `${places.traces(ref.project)}/${e(ref.agent)}/${e(ref.session)}/${ref.index}${line ? `?line=${line}` : ""}`,
  models: (project: string) => `/p/${e(project)}/models`,
};
