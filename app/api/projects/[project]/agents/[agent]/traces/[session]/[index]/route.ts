/** Records of one Trace file by physical line: each with long strings shortened (P2), or a line about each. */
import { z } from "zod";
import { handle } from "@/server/http";
import { found, readableTrace } from "@/server/trace/access";
import { rowsJson, shortened, summaries } from "@/server/trace/opening";
import { partsStream } from "@/server/trace/raw";

const query = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(200),
  summaries: z.enum(["1"]).optional(),
});

export const GET = handle(
  { right: "read", params: ["project", "agent", "session", "index"], query },
  async ({ params, query, person, runtime }) => {
    const index = await readableTrace(runtime.traces, params, person.id);
    if (query.summaries) return Response.json(found(await summaries(runtime.traces, params, index, query)));
    const window = found(await runtime.traces.window(params, params.session, index, query, shortened));
    return new Response(partsStream(rowsJson(window)), { headers: { "content-type": "application/json" } });
  },
);
