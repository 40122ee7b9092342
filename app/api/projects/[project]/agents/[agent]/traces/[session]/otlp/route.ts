/** A Session with its subagents as OpenTelemetry spans (OTLP, JSON). `content=1` adds what was said. */
import { z } from "zod";
import { handle, json } from "@/server/http";
import { readableSession } from "@/server/trace/access";

const query = z.object({ content: z.enum(["0", "1"]).default("0") });

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"], query },
  async ({ params, query, person, runtime }) => {
    await readableSession(runtime.traces, params, person.id);
    const document = await runtime.usage.otlp(params, person.id, query.content === "1");
    const entry = { by: person.id, action: "trace.export", agent: params.agent, session: params.session };
    await runtime.audit.write({ ...entry, format: "otlp", content: query.content === "1" }, params.project);
    return json(document, 200, { "content-disposition": `attachment; filename="${params.session}.otlp.json"` });
  },
);
