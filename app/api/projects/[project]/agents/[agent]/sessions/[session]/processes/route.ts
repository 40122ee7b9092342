/** Commands of this Session that run in the background. */
import { handle, json } from "@/server/http";
import { foundSession } from "@/server/session/found";

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"] },
  async ({ params, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    return json({ processes: session.processes?.processes() ?? [] });
  },
);
