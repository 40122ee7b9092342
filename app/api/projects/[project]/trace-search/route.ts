/** Search over all Traces of a Project, newest first. The files themselves are read; hits stream as they are found. */
import { traceSearchQuery } from "@/lib/api/trace-search";
import { handle } from "@/server/http";
import { LINES_HEADERS, linesStream } from "@/server/trace/raw";

export const GET = handle(
  { right: "read", params: ["project"], query: traceSearchQuery },
  async ({ params, query, person, runtime }) => {
    const all = await runtime.agents.list(params.project);
    const agents = all.map(({ id }) => id).filter((id) => query.agent === undefined || id === query.agent);
    const lines = runtime.traces.search(params.project, agents, person.id, query);
    return new Response(linesStream(lines), { headers: LINES_HEADERS });
  },
);
