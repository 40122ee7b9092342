/** Rows of one Trace file by physical line, long strings shortened (P2). */
import { z } from "zod";
import { handle } from "@/server/http";
import { found, readableTrace } from "@/server/trace/access";
import { rowsJson, shortened } from "@/server/trace/opening";
import { partsStream } from "@/server/trace/raw";

const query = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});

export const GET = handle(
  { right: "read", params: ["project", "agent", "session", "index"], query },
  async ({ params, query, person, runtime }) => {
    const index = await readableTrace(runtime.traces, params, person.id);
    const window = found(await runtime.traces.window(params, params.session, index, query, shortened));
    return new Response(partsStream(rowsJson(window)), { headers: { "content-type": "application/json" } });
  },
);
