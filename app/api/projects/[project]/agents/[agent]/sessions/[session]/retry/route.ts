/** Skips a wait between attempts, or repeats what the provider failed, refused or had no credential for. */
import { handle } from "@/server/http";
import { foundSession } from "@/server/session/found";

export const POST = handle(
  { right: "work", params: ["project", "agent", "session"] },
  async ({ params, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    await session.retry(person.id);
    return new Response(null, { status: 202 });
  },
);
