/** Everything in the Project that waits for a person's decision. */
import { handle, json } from "@/server/http";
import { waitingApprovals } from "@/server/session/inbox";

export const GET = handle({ right: "read", params: ["project"] }, async ({ params, person, runtime }) =>
  json({ approvals: await waitingApprovals(runtime.sessions, params.project, person.id) }),
);
