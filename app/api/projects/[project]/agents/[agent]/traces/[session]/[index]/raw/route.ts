/** The export: a Trace file byte for byte (IM4), or a range of it. */
import { handle, TRACE_TYPE } from "@/server/http";
import { found, readableTrace } from "@/server/trace/access";
import { parseRange, rawStream } from "@/server/trace/raw";

export const GET = handle(
  { right: "read", params: ["project", "agent", "session", "index"] },
  async ({ params, person, request, runtime }) => {
    const index = await readableTrace(runtime.traces, params, person.id);
    const { path, bytes, name } = found(await runtime.traces.openRaw(params, params.session, index));
    const headers = new Headers({
      "content-type": TRACE_TYPE,
      "content-disposition": `attachment; filename="${name}"`,
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
    });
    // Without a validator an If-Range can never match: the whole file is the safe answer.
    const asked = request.headers.has("if-range") ? null : request.headers.get("range");
    const range = parseRange(asked, bytes);
    if (range === "none") {
      headers.set("content-range", `bytes */${bytes}`);
      return new Response(null, { status: 416, headers });
    }
    const part = range === "whole" ? { from: 0, to: bytes } : range;
    headers.set("content-length", String(part.to - part.from));
    if (range !== "whole") headers.set("content-range", `bytes ${part.from}-${part.to - 1}/${bytes}`);
    const entry = {
      by: person.id,
      action: "trace.export",
      agent: params.agent,
      session: params.session,
      file: index,
      ...(part.from > 0 ? { from_byte: part.from } : {}),
    };
    await runtime.audit.write(entry, params.project);
    const body = part.to > part.from ? rawStream(path, part) : null;
    return new Response(body, { status: range === "whole" ? 200 : 206, headers });
  },
);
