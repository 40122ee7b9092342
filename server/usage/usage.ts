/** Usage and cost, from Traces alone (US1): what the routes ask. */
import type { SessionRef } from "../../lib/api/routes";
import type {
  OwnUsage,
  SessionUsage,
  UsageCsvQuery,
  UsageQuery,
  UsageRequestsPage,
  UsageRequestsQuery,
  UsageView,
} from "../../lib/api/usage";
import type { OtlpDocument, SessionSpans } from "../trace/otlp";
import { usageCsv } from "./csv";
import { exportSession, sessionSpans } from "./otlp-export";
import { ownUsage } from "./own-usage";
import { Reading, type UsageParts } from "./reading";
import { usageRequests } from "./requests";
import { keyOf } from "./session-calls";
import { sessionUsage } from "./session-usage";
import { usageView } from "./view";

export class Usage {
  constructor(
    private readonly parts: UsageParts,
    private readonly now: () => number = Date.now,
  ) {}

  /** `viewer`: whom private Sessions of others are hidden from. */
  async view(project: string, viewer: string, query: UsageQuery): Promise<UsageView> {
    return usageView(await Reading.of(this.parts, project, viewer), query, this.now());
  }

  async requests(project: string, viewer: string, query: UsageRequestsQuery): Promise<UsageRequestsPage> {
    return usageRequests(await Reading.of(this.parts, project, viewer), query, this.now());
  }

  async csv(project: string, viewer: string, query: UsageCsvQuery): Promise<string> {
    return usageCsv(await Reading.of(this.parts, project, viewer), query, this.now());
  }

  /** Of a Session that the viewer may see; Task by Task for so many of the newest, or all. */
  async session(ref: SessionRef, viewer: string, newest?: number): Promise<SessionUsage> {
    const reading = await Reading.of(this.parts, ref.project, viewer, keyOf(ref));
    const folded = await this.parts.traces.tasks(ref, ref.session);
    const tasks = folded?.tasks ?? [];
    return sessionUsage(reading, keyOf(ref), newest === undefined ? tasks : tasks.slice(-newest));
  }

  /** The Session, and its subagents that the viewer may see, as OpenTelemetry spans. */
  async otlp(ref: SessionRef, viewer: string, content: boolean): Promise<OtlpDocument> {
    const { project } = ref;
    const reading = await Reading.of(this.parts, project, viewer, keyOf(ref));
    const { sessions } = reading;
    const hidden = (key: string) => reading.hidden(key);
    return exportSession({ project, sessions, traces: this.parts.traces, hidden, content }, keyOf(ref));
  }

  /** The Tasks of a Session from this one on, for the live export; null: it has no Trace. */
  async spans(ref: SessionRef, from: number, content: boolean): Promise<SessionSpans | null> {
    const { project } = ref;
    const sessions = await this.parts.calls.of(
      project,
      (await this.parts.agents.list(project)).map(({ id }) => id),
    );
    const byKey = new Map(sessions.map((session) => [session.key, session]));
    const session = byKey.get(keyOf(ref));
    const parts = { project, sessions, traces: this.parts.traces, hidden: () => false, content };
    return session ? sessionSpans(parts, session, byKey, from) : null;
  }

  async own(
    user: string,
    projects: readonly { id: string; name: string | null }[],
    query: Pick<UsageQuery, "range" | "from" | "to" | "tz">,
  ): Promise<OwnUsage> {
    const readings = [];
    for (const { id, name } of projects) readings.push({ reading: await Reading.of(this.parts, id, user), name });
    return ownUsage(readings, user, query, this.now());
  }
}
