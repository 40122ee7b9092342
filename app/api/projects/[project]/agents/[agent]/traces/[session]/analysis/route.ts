/** Tasks, Requests, spans, context and token figures of a whole Session. */
import { elide } from "@/lib/api/elide";
import { analyse, type TraceAnalysis } from "@/lib/trace/analysis";
import { Segmenter } from "@/lib/trace/segment";
import { handle } from "@/server/http";
import { readableSession } from "@/server/trace/access";
import { partsStream } from "@/server/trace/raw";

interface FileSummary {
  index: number;
  lines: number;
  damaged: number[];
}

function* body(files: FileSummary[], { tasks, ...figures }: TraceAnalysis): Generator<string> {
  yield `{"files":${JSON.stringify(files)},"tasks":[`;
  for (const [i, task] of tasks.entries()) yield `${i === 0 ? "" : ","}${JSON.stringify(elide(task))}`;
  yield `],${JSON.stringify(figures).slice(1)}`;
}

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"] },
  async ({ params, person, runtime }) => {
    const facts = await readableSession(runtime.traces, params, person.id);
    const segmenter = new Segmenter();
    const files: FileSummary[] = [];
    for (const { index } of facts.files) {
      const end = await runtime.traces.fold(params, params.session, index, (record) => segmenter.push(record));
      if (end) files.push({ index, lines: end.lines, damaged: end.damaged.map(({ line }) => line) });
    }
    const parts = body(files, analyse(segmenter.tasks));
    return new Response(partsStream(parts), { headers: { "content-type": "application/json" } });
  },
);
