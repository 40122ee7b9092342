/** Takes an undelivered message back. */
import { handle, json } from "@/server/http";
import { foundSession } from "@/server/session/found";
import { textOf } from "@/server/session/state-frames";

export const DELETE = handle(
  { right: "work", params: ["project", "agent", "session", "id"] },
  async ({ params, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    const { id, kind, parts } = await session.recall(params.id);
    return json({ id, kind, text: textOf(parts), input: parts });
  },
);
