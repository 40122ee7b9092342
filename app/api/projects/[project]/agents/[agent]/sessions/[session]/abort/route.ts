/** Stop: ends the running Task, in whatever it is doing. */
import { handle, noContent } from "@/server/http";
import { foundSession } from "@/server/session/found";

export const POST = handle(
  { right: "work", params: ["project", "agent", "session"] },
  async ({ params, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    return session.abort(person.id) ? new Response(null, { status: 202 }) : noContent();
  },
);
