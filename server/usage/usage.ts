/** Usage and cost, from Traces alone (US1): what the routes ask. */
import type {
  OwnUsage,
  SessionUsage,
  UsageCsvQuery,
  UsageQuery,
  UsageRequestsPage,
  UsageRequestsQuery,
  UsageView,
} from "../../lib/api/usage";
import { usageCsv } from "./csv";
import { ownUsage } from "./own-usage";
import { Reading, type UsageParts } from "./reading";
import { usageRequests } from "./requests";
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

  /** Of a Session that the viewer may see. */
  async session(ref: { project: string; agent: string; session: string }, viewer: string): Promise<SessionUsage> {
    const reading = await Reading.of(this.parts, ref.project, viewer);
    const folded = await this.parts.traces.tasks(ref, ref.session);
    return sessionUsage(reading, `${ref.agent}/${ref.session}`, folded?.tasks ?? []);
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
