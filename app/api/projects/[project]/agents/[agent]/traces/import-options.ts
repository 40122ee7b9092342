/** What an import may take, and from whom: one Trace file and a bundle alike. */
import type { AgentRef } from "@/server/paths";
import type { Runtime } from "@/server/runtime";
import type { ImportOptions } from "@/server/trace/import";

interface Upload {
  request: Request;
  runtime: Runtime;
  agent: AgentRef;
  by: string;
  acceptDamage: boolean;
}

export function importOptions({ request, runtime, agent, by, acceptDamage }: Upload): ImportOptions {
  const declared = request.headers.get("content-length");
  return {
    acceptDamage,
    by,
    isTaken: (session) => runtime.sessions.peek({ ...agent, session }) !== null,
    maxBytes: runtime.config.importMaxBytes,
    contentLength: declared !== null && /^\d+$/.test(declared) ? Number(declared) : null,
  };
}
