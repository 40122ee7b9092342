/** Sessions as lists and their own page show them: facts from the Traces, joined with what is in memory. */
import type { SessionRef } from "../../lib/api/routes";
import type { ProjectStatus, SessionCategory, SessionsPage, SessionView } from "../../lib/api/schemas";
import { titleHolds } from "../../lib/api/titles";
import type { SessionInfoPayload, SessionMetaPayload } from "../../lib/omni/message";
import type { AgentRef } from "../paths";
import type { SessionFacts } from "../trace/catalog";
import { creatorOf, isVisible } from "../trace/visible";
import { isUnsavedVisible, maySee } from "./access";
import { type ProjectDefaults, type SessionSettings, settingsOf, shortTitle } from "./info";
import { problemOf, refOfAgent } from "./open";
import type { SessionRegistry } from "./registry";
import type { Session } from "./session";
import { successorsOf } from "./successors";

export interface ListQuery {
  limit: number;
  cursor?: string;
  category?: SessionCategory;
  /** Words that the title holds. */
  q?: string;
}

/** Newest activity first. The cursor names the last row of the page before. */
export async function listSessions(
  registry: SessionRegistry,
  agent: AgentRef,
  person: string,
  query: ListQuery,
): Promise<SessionsPage> {
  const live = new Map(
    registry
      .live()
      .filter(({ ref }) => ref.project === agent.project && ref.agent === agent.agent)
      .map((session) => [session.ref.session, session]),
  );
  const stored = await registry.host.store.sessions(agent);
  const visible = await Promise.all(stored.map((facts) => isVisible(registry.host.store, agent, facts, person)));
  const defaults = await registry.host.defaults?.(agent.project);
  const views = [
    ...stored
      .filter((_, i) => visible[i])
      .map((facts) => storedView(agent, facts, live.get(facts.session_id), defaults)),
    ...unsavedViews(live, new Set(stored.map(({ session_id }) => session_id)), person),
  ];
  const counts = { active: 0, archived: 0, subagent: 0, schedule: 0 };
  for (const view of views) counts[categoryOf(view)] += 1;
  const { category, q } = query;
  const sorted = views
    .filter((view) => category === undefined || categoryOf(view) === category)
    .filter((view) => q === undefined || titleHolds(view.title, q))
    .sort((a, b) => compare(sortKey(b), sortKey(a)));
  const after = query.cursor;
  const from = after === undefined ? 0 : sorted.findIndex((view) => compare(sortKey(view), after) < 0);
  const sessions = from < 0 ? [] : sorted.slice(from, from + query.limit);
  const last = sessions.at(-1);
  const more = from >= 0 && from + query.limit < sorted.length;
  return { sessions, counts, ...(more && last ? { next_cursor: sortKey(last) } : {}) };
}

const sortKey = (view: SessionView) => `${view.last_active_at}~${view.id}`;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function unsavedViews(live: Map<string, Session>, stored: Set<string>, person: string): SessionView[] {
  return [...live.values()]
    .filter(({ ref, meta, unsaved }) => unsaved && !stored.has(ref.session) && meta.created_by === person)
    .map(liveView);
}

function categoryOf(view: SessionView): SessionCategory {
  if (view.archived) return "archived";
  // Whoever brings a file in looks for it in the list.
  if (view.imported) return "active";
  return view.source === "subagent" || view.source === "schedule" ? view.source : "active";
}

function viewOf(
  ref: SessionRef,
  meta: SessionMetaPayload,
  settings: SessionSettings,
  live: Session | undefined,
): Omit<SessionView, "created_at" | "last_active_at" | "has_trace"> {
  const { switched_from, handoff_from, forked_from, parent } = meta;
  const window = meta.model_context_window;
  return {
    id: ref.session,
    project: ref.project,
    agent: ref.agent,
    provider: meta.provider ?? "",
    model_id: meta.model_id ?? "",
    ...(typeof window === "number" ? { context_window: window } : {}),
    workspace: meta.workspace ?? "",
    ...settings,
    ...(meta.created_by ? { created_by: meta.created_by } : {}),
    ...(meta.source ? { source: meta.source } : {}),
    status: live?.status ?? "idle",
    pending_approvals: live?.approvals.pending().length ?? 0,
    ...(switched_from ? { switched_from } : {}),
    ...(handoff_from ? { handoff_from } : {}),
    ...(forked_from ? { forked_from } : {}),
    ...(parent ? { parent } : {}),
  };
}

function storedView(
  agent: AgentRef,
  facts: SessionFacts,
  live: Session | undefined,
  defaults: ProjectDefaults | undefined,
): SessionView {
  const info: SessionInfoPayload | null = facts.info;
  const settings = live?.settings ?? settingsOf(info, defaults);
  const meta = facts.meta ?? { session_id: facts.session_id };
  return {
    ...viewOf({ ...agent, session: facts.session_id }, meta, settings, live),
    title: settings.title ?? shortTitle(facts.title_fallback),
    created_at: facts.created_at,
    last_active_at: facts.last_active_at,
    has_trace: true,
    ...(facts.imported ? { imported: true } : {}),
  };
}

function liveView(session: Session): SessionView {
  const at = session.unsaved?.created_at ?? new Date(session.lastUsed).toISOString();
  return {
    ...viewOf(session.ref, session.meta, session.settings, session),
    created_at: at,
    last_active_at: at,
    has_trace: false,
  };
}

/** One Session with everything its page shows; null: there is none, or this person may not know of it. */
export async function viewSession(
  registry: SessionRegistry,
  ref: SessionRef,
  person: string,
): Promise<SessionView | null> {
  const live = registry.peek(ref) ?? undefined;
  const agent = refOfAgent(ref);
  const facts = await registry.host.store.session(agent, ref.session);
  if (!facts) {
    return live?.unsaved && isUnsavedVisible(live, person)
      ? { ...liveView(live), mine: live.meta.created_by === person }
      : null;
  }
  if (!(await isVisible(registry.host.store, agent, facts, person))) return null;
  const last = facts.files.at(-1);
  const continued_in = await successorsOf(registry.host, ref, person);
  const problem =
    live?.problem ?? (await problemOf(registry.host, ref.project, facts.meta ?? { session_id: ref.session }));
  return {
    mine: creatorOf(facts) === person,
    ...storedView(agent, facts, live, await registry.host.defaults?.(ref.project)),
    ...(facts.imported_lines ? { imported_lines: facts.imported_lines } : {}),
    ...(last ? { trace_path: registry.host.layout.traceFile(agent, last.date, ref.session, last.index) } : {}),
    ...(continued_in.length > 0 ? { continued_in } : {}),
    ...(problem ? { problem } : {}),
  };
}

/** Sessions of a Project that work, wait for a person, or are given a title: lists look again when one leaves. */
export async function projectStatus(
  registry: SessionRegistry,
  project: string,
  person: string,
): Promise<ProjectStatus> {
  const busy = registry.live().filter(
    // What a subagent does and asks stands with its parent.
    ({ ref, status, titles, approvals, heldBy }) =>
      ref.project === project && !heldBy && (status !== "idle" || titles.busy || approvals.pending().length),
  );
  const visible = await Promise.all(busy.map(({ ref }) => maySee(registry, ref, person)));
  const sessions = busy
    .filter((_, i) => visible[i])
    .map(({ ref, status, approvals }) => ({
      agent: ref.agent,
      session_id: ref.session,
      state: status,
      pending_approvals: approvals.pending().length,
    }));
  return { sessions, lists: registry.listChanges(project) };
}
