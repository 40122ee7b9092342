/** A Session's Trace as a whole: its files with their lines, where it comes from, whether it is at work. */
import { handle, json } from "@/server/http";
import { traceOverview } from "@/server/trace/opening";

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"] },
  async ({ params, person, runtime }) => {
    const state = runtime.sessions.peek(params)?.status ?? "idle";
    return json(await traceOverview(runtime.traces, params, person.id, state));
  },
);
