/** One record of a Trace file, whole. */
import { handle, json } from "@/server/http";
import { found, positive, readableTrace } from "@/server/trace/access";
import { partsStream } from "@/server/trace/raw";

export const GET = handle(
  { right: "read", params: ["project", "agent", "session", "index", "line"] },
  async ({ params, person, runtime }) => {
    const index = await readableTrace(runtime.traces, params, person.id);
    const record = found(await runtime.traces.record(params, params.session, index, positive(params.line)));
    if (!("json" in record)) return json(record);
    // The line was checked to be one JSON value: its own bytes go out, however many they are.
    const parts = [`{"line":${record.line},"message":`, record.json, "}"];
    return new Response(partsStream(parts), { headers: { "content-type": "application/json" } });
  },
);
