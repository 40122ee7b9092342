/** The Sessions of an Agent: list, and a new one (in memory until its first Task). */
import { z } from "zod";
import { createSessionBody } from "@/lib/api/schemas";
import { refuseSelfApproval } from "@/server/auth/person";
import { handle, json } from "@/server/http";
import { listSessions, viewSession } from "@/server/session/list";

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.string().optional(),
  category: z.enum(["active", "archived", "subagent", "schedule"]).optional(),
  q: z.string().max(200).optional(),
});

export const GET = handle(
  { right: "read", params: ["project", "agent"], query: listQuery },
  async ({ params, query, person, runtime }) => json(await listSessions(runtime.sessions, params, person.id, query)),
);

export const POST = handle(
  { right: "work", params: ["project", "agent"], body: createSessionBody },
  async ({ params, body, person, runtime }) => {
    refuseSelfApproval(person, body.approval_mode);
    const session = await runtime.sessions.create(params, body, person);
    return json({ session: await viewSession(runtime.sessions, session.ref, person.id) }, 201);
  },
);
