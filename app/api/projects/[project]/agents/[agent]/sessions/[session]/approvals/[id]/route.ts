/** A person's decision about a call. The first one counts. */
import { AppError } from "@/lib/api/errors";
import { decisionBody } from "@/lib/api/schemas";
import { handle, json } from "@/server/http";
import { foundSession } from "@/server/session/found";

export const POST = handle(
  { right: "work", tokens: "approve", params: ["project", "agent", "session", "id"], body: decisionBody },
  async ({ params, body, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    const result = session.approvals.decide(params.id, body.decision, person.id);
    if (!result) throw new AppError("not_found");
    const { id, decision, by } = result.decided;
    if (!result.first) throw new AppError("already_decided", undefined, { decision, by });
    return json({ id, decision, by });
  },
);
