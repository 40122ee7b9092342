/** Tasks, Requests, spans, context and token figures of a whole Session. `from_task` leaves out what is known. */
import { z } from "zod";
import { elide } from "@/lib/api/elide";
import { analyse, type TraceAnalysis } from "@/lib/trace/analysis";
import { handle } from "@/server/http";
import { found, readableSession } from "@/server/trace/access";
import { partsStream } from "@/server/trace/raw";
import type { FoldedSession } from "@/server/trace/task-folds";

const query = z.object({ from_task: z.coerce.number().int().min(0).default(0) });

function* body({ files, titles }: FoldedSession, analysis: TraceAnalysis, from: number): Generator<string> {
  const { tasks, ...figures } = analysis;
  yield `{"files":${JSON.stringify(files)},"from_task":${from},"tasks":[`;
  for (const [i, task] of tasks.slice(from).entries()) {
    const title = titles.get(task.index) ?? null;
    yield `${i === 0 ? "" : ","}${JSON.stringify(elide({ title, ...task }))}`;
  }
  yield `],${JSON.stringify(figures).slice(1)}`;
}

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"], query },
  async ({ params, query, person, runtime }) => {
    await readableSession(runtime.traces, params, person.id);
    const session = found(await runtime.traces.tasks(params, params.session));
    const parts = body(session, analyse(session.tasks), query.from_task);
    return new Response(partsStream(parts), { headers: { "content-type": "application/json" } });
  },
);
