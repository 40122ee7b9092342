/** A whole Session as .tar.gz: all Trace files, its scratchpad without values of the vault, its children. */
import { BUNDLE_TYPE, handle } from "@/server/http";
import type { AgentRef } from "@/server/paths";
import { found, readableSession } from "@/server/trace/access";

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"] },
  async ({ params, person, runtime }) => {
    await readableSession(runtime.traces, params, person.id);
    const secretsOf = async (ref: AgentRef) => Object.values(await runtime.agents.vault(ref));
    const body = found(await runtime.traces.bundle(params, params.session, person.id, secretsOf));
    const entry = { by: person.id, action: "trace.export", agent: params.agent, session: params.session };
    await runtime.audit.write({ ...entry, bundle: true }, params.project);
    return new Response(body, {
      headers: {
        "content-type": BUNDLE_TYPE,
        "content-disposition": `attachment; filename="${params.session}.tar.gz"`,
        "x-content-type-options": "nosniff",
      },
    });
  },
);
