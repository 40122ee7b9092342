/** What one person used, in all Projects that they are a member of. */
import type { OwnUsage, UsageQuery, UsageView } from "../../lib/api/usage";
import { addDays, bucketAt, dayOf, dayStart } from "../../lib/calendar";
import { Sum } from "./figures";
import { bucketsOf, rangeOf } from "./range";
import type { Reading } from "./reading";

type Asked = Pick<UsageQuery, "range" | "from" | "to" | "tz">;

export async function ownUsage(
  readings: readonly { reading: Reading; name: string | null }[],
  user: string,
  query: Asked,
  now: number,
): Promise<OwnUsage> {
  const spans = readings.flatMap(({ reading }) => reading.span ?? []);
  const all = { first: Math.min(...spans.map(({ first }) => first)), last: Math.max(...spans.map(({ last }) => last)) };
  const span = rangeOf(query, now, spans.length > 0 ? all : null);
  const { bucket, buckets } = bucketsOf(span, undefined);
  const today = dayOf(now, span.tz);
  const [from, to] = [dayStart(today, span.tz), dayStart(addDays(today, 1), span.tz)];
  const week = dayStart(addDays(today, -6), span.tz);
  const sums = { range: new Sum(), today: new Sum(), last_7_days: new Sum() };
  const points = buckets.map(() => new Sum());
  const projects: OwnUsage["projects"] = [];
  for (const { reading, name } of readings) {
    const project = new Sum();
    await reading.each({ user }, (call) => {
      const { at, request } = call;
      const cost = reading.priced(call);
      if (at >= from && at < to) sums.today.add(request, cost);
      if (at >= week && at < to) sums.last_7_days.add(request, cost);
      if (at < span.from || at >= span.to) return;
      sums.range.add(request, cost);
      project.add(request, cost);
      points[bucketAt(buckets, at)]?.add(request, cost);
    });
    if (project.requests > 0) projects.push({ project: reading.project, name, figures: project.figures() });
  }
  const totals: UsageView["totals"] = {
    range: sums.range.figures(),
    today: sums.today.figures(),
    last_7_days: sums.last_7_days.figures(),
  };
  return {
    range: { ...span, from: iso(span.from), to: iso(span.to), bucket },
    totals,
    series: buckets.map((one, i) => ({
      from: iso(one.from),
      to: iso(one.to),
      label: one.label,
      figures: (points[i] ?? new Sum()).figures(),
    })),
    projects,
  };
}

const iso = (at: number) => new Date(at).toISOString();
