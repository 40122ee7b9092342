/** A new Session from a point of this one. */
import { forkBody } from "@/lib/api/schemas";
import { handle, json } from "@/server/http";
import { forkSession } from "@/server/session/fork";
import { foundSession } from "@/server/session/found";

export const POST = handle(
  { right: "work", params: ["project", "agent", "session"], body: forkBody },
  async ({ params, body, person, runtime }) => {
    const source = await foundSession(runtime.sessions, params, person);
    const id = await forkSession(runtime.sessions.host, source, body, person.id);
    return json({ session: { id } }, 201);
  },
);
