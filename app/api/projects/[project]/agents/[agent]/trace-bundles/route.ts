/** Import of a bundle: all its Sessions, with all their files, or nothing. */
import { z } from "zod";
import { AppError } from "@/lib/api/errors";
import type { BundleResult } from "@/lib/api/trace-bundle";
import { BUNDLE_TYPE, handle, json } from "@/server/http";
import { importOptions } from "../traces/import-options";

const query = z.object({ accept_damage: z.enum(["0", "1"]).optional() });

export const POST = handle(
  { right: "work", params: ["project", "agent"], query, raw: BUNDLE_TYPE },
  async ({ params, query, person, request, runtime }) => {
    const acceptDamage = query.accept_damage === "1";
    const options = importOptions({ request, runtime, agent: params, by: person.id, acceptDamage });
    const outcome = await runtime.traces.importBundle(params, request.body ?? new Blob().stream(), options);
    if (!outcome.ok) throw new AppError(outcome.code, outcome.message, outcome.details);
    const { session_id, sessions, damaged } = outcome;
    const entry = { by: person.id, action: "trace.import", agent: params.agent, session: session_id };
    await runtime.audit.write({ ...entry, bundle: true, sessions: sessions.length }, params.project);
    return json({ session_id, sessions, damaged } satisfies BundleResult, 201);
  },
);
