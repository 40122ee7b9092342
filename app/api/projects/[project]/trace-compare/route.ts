/** Two Traces of a Project, aligned by what was said and done. */
import { z } from "zod";
import type { ComparedSide, ComparedStep, TraceComparison } from "@/lib/api/trace-compare";
import { requestCost } from "@/lib/model/price";
import { analyse } from "@/lib/trace/analysis";
import { alignSteps, stepOf, type TraceStep } from "@/lib/trace/compare";
import { handle, json } from "@/server/http";
import type { AgentRef } from "@/server/paths";
import type { Runtime } from "@/server/runtime";
import { found, readableSession } from "@/server/trace/access";

const MAX_ROWS = 3000;
const side = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}\/[A-Za-z0-9_-]{1,128}$/)
  .transform((text) => {
    const [agent = "", session = ""] = text.split("/");
    return { agent, session };
  });
const query = z.object({ left: side, right: side });

interface Read {
  view: ComparedSide;
  steps: TraceStep[];
}

async function read(runtime: Runtime, ref: AgentRef & { session: string }, user: string): Promise<Read> {
  const facts = await readableSession(runtime.traces, ref, user);
  const { tasks } = found(await runtime.traces.tasks(ref, ref.session));
  const steps: TraceStep[] = [];
  for (const { index } of facts.files) {
    await runtime.traces.fold(ref, ref.session, index, (record) => {
      const step = stepOf(record);
      if (step) steps.push(step);
    });
  }
  const requests = tasks.flatMap((task) => task.requests);
  const tokens = { cache_read: 0, cache_write: 0, output: 0 };
  let usd: number | null = null;
  for (const { usage } of requests) {
    if (!usage) continue;
    for (const key of ["cache_read", "cache_write", "output"] as const) tokens[key] += usage.counts.request[key];
    const cost = requestCost(usage.counts.request, usage.counts.price);
    if (cost.kind !== "unpriced") usd = (usd ?? 0) + (cost.kind === "free" ? 0 : cost.usd);
  }
  const view: ComparedSide = {
    agent: ref.agent,
    session_id: ref.session,
    title: facts.info?.title ?? facts.title_fallback,
    provider: facts.meta?.provider,
    model_id: facts.meta?.model_id,
    index: facts.files.at(-1)?.index ?? 1,
    tasks: tasks.filter(({ kind }) => kind === "task").length,
    requests: requests.length,
    calls: requests.reduce((sum, request) => sum + request.tools.length, 0),
    steps: steps.length,
    ...{ tokens, usd },
    elapsed_ms: analyse(tasks).elapsed_ms,
  };
  return { view, steps };
}

const shown = (step: TraceStep | null): ComparedStep | null =>
  step && { at: step.at, kind: step.kind, name: step.name, text: step.text };

export const GET = handle({ right: "read", params: ["project"], query }, async ({ params, query, person, runtime }) => {
  const { project } = params;
  const left = await read(runtime, { project, ...query.left }, person.id);
  const right = await read(runtime, { project, ...query.right }, person.id);
  const rows = alignSteps(left.steps, right.steps);
  const first = rows.findIndex((row) => !row.same);
  const answer: TraceComparison = {
    left: left.view,
    right: right.view,
    rows: rows.slice(0, MAX_ROWS).map((row) => ({ left: shown(row.left), right: shown(row.right), same: row.same })),
    first_difference: first < 0 ? null : first,
    more: Math.max(0, rows.length - MAX_ROWS),
  };
  return json(answer);
});
