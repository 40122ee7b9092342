/** Every address of a page is spelt here; `routes.ts` spells those of the HTTP API. */
import type { SessionRef, TraceRef } from "./routes";

const e = encodeURIComponent;

export const places = {
  project: (project: string) => `/p/${e(project)}`,
  newConversation: (project: string, agent: string) => `/p/${e(project)}/a/${e(agent)}/new`,
  /** A conversation, at the record of its Trace if `at` is given. */
  conversation: (ref: SessionRef, at?: { file_index: number; line: number }) =>
    `/p/${e(ref.project)}/a/${e(ref.agent)}/s/${e(ref.session)}${at ? `#record-${at.file_index}-${at.line}` : ""}`,
  approvals: (project: string) => `/p/${e(project)}/approvals`,
  traces: (project: string, agent?: string) => `/p/${e(project)}/traces${agent ? `?agent=${e(agent)}` : ""}`,
  /** One file of a Trace with a text searched in it. */
  traceFind: (ref: TraceRef, text: string) => `${places.trace(ref)}?q=${e(text)}`,
  /** At one record, with the text that led there. */
  traceHit: (ref: TraceRef, line: number, text?: string) => `${places.trace(ref, line)}${text ? `&q=${e(text)}` : ""}`,
  compareTraces: (project: string, left: Omit<SessionRef, "project">, right?: Omit<SessionRef, "project">) =>
    `${places.traces(project)}/compare?left=${e(`${left.agent}/${left.session}`)}${right ? `&right=${e(`${right.agent}/${right.session}`)}` : ""}`,
  /** One file of a Trace, at one record if `line` is given. */
  trace: (ref: TraceRef, line?: number) =>
    `${places.traces(ref.project)}/${e(ref.agent)}/${e(ref.session)}/${ref.index}${line ? `?line=${line}` : ""}`,
  models: (project: string) => `/p/${e(project)}/models`,
  people: (project: string) => `/p/${e(project)}/people`,
  /** Everybody on this server, for admins. */
  everybody: (project: string) => `${places.people(project)}/all`,
  settings: (project: string) => `/p/${e(project)}/settings`,
  /** `query`: filters as in the address bar. */
  usage: (project: string, query = "") => `/p/${e(project)}/usage${query && `?${query}`}`,
  /** What the person has used in all Projects. */
  ownUsage: (project: string) => `${places.usage(project)}/me`,
  account: (project: string) => `/p/${e(project)}/account`,
  audit: (project: string) => `/p/${e(project)}/audit`,
  /** What readers of a share link see: no page of the interface. */
  shared: (token: string) => `/share/${e(token)}`,
  /** The same for somebody who is in no Project. */
  bareAccount: () => "/account",
  /** The token stands behind the #: a browser never sends it. */
  invitation: (token: string) => `/sign-in/link#${e(token)}`,
};
