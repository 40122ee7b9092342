/** Compaction by hand: what the context holds is replaced by a summary of it. */
import { handle } from "@/server/http";
import { foundSession } from "@/server/session/found";

export const POST = handle(
  { right: "work", params: ["project", "agent", "session"] },
  async ({ params, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    await session.compact(person.id);
    return new Response(null, { status: 202 });
  },
);
