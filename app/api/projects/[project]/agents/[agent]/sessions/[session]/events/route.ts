/** The event stream of a Session: a snapshot, then everything that happens. */
import { z } from "zod";
import { handle } from "@/server/http";
import { maySee } from "@/server/session/access";
import { eventStream } from "@/server/session/event-stream";
import { foundSession } from "@/server/session/found";

const query = z.object({ last_event_id: z.string().max(64).optional() });

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"], query },
  async ({ params, query, person, request, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    const allowed = () => maySee(runtime.sessions, params, person.id);
    return eventStream(session, {
      lastId: request.headers.get("last-event-id") ?? query.last_event_id ?? null,
      signal: request.signal,
      allowed,
      register: (close) => runtime.streams.add({ person, project: params.project, allowed, close }),
    });
  },
);
