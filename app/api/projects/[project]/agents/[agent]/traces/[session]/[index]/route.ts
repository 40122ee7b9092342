/** Rows of one Trace file by physical line, long strings shortened (P2). */
import { z } from "zod";
import { elide } from "@/lib/api/elide";
import type { OmniMessage } from "@/lib/omni/message";
import { handle } from "@/server/http";
import { found, readableTrace } from "@/server/trace/access";
import { partsStream } from "@/server/trace/raw";
import type { TraceWindow } from "@/server/trace/store";

const query = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});

/** Text at once: what was shortened does not keep the whole record in memory. */
const show = (message: OmniMessage) => JSON.stringify(elide(message));

function* body({ records, total }: TraceWindow<string>): Generator<string> {
  yield '{"records":[';
  for (const [i, row] of records.entries()) {
    const comma = i === 0 ? "" : ",";
    yield "message" in row ? `${comma}{"line":${row.line},"message":${row.message}}` : `${comma}${JSON.stringify(row)}`;
  }
  yield `],"total":${total}}`;
}

export const GET = handle(
  { right: "read", params: ["project", "agent", "session", "index"], query },
  async ({ params, query, person, runtime }) => {
    const index = await readableTrace(runtime.traces, params, person.id);
    const window = found(await runtime.traces.window(params, params.session, index, query, show));
    return new Response(partsStream(body(window)), { headers: { "content-type": "application/json" } });
  },
);
