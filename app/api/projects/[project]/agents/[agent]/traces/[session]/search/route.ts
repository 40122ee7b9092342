/** Search in all files of one Session, oldest first; hits stream as they are found. */
import { recordSearchQuery } from "@/lib/api/trace-search";
import { handle } from "@/server/http";
import { readableSession } from "@/server/trace/access";
import { LINES_HEADERS, linesStream } from "@/server/trace/raw";

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"], query: recordSearchQuery },
  async ({ params, query, person, runtime }) => {
    await readableSession(runtime.traces, params, person.id);
    const { q, tool, status } = query;
    const lines = runtime.traces.searchSession(params, params.session, { text: q, tool, status });
    return new Response(linesStream(lines), { headers: LINES_HEADERS });
  },
);
