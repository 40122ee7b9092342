/** One Session: look, change its settings, delete it with its Traces. */
import { AppError } from "@/lib/api/errors";
import { patchSessionBody } from "@/lib/api/schemas";
import { handle, json, noContent } from "@/server/http";
import { foundSession } from "@/server/session/found";
import { viewSession } from "@/server/session/list";

const params = ["project", "agent", "session"] as const;

export const GET = handle({ right: "read", params }, async ({ params, person, runtime }) => {
  const view = await viewSession(runtime.sessions, params, person.id);
  if (!view) throw new AppError("not_found");
  return json(view);
});

export const PATCH = handle(
  { right: "work", params, body: patchSessionBody },
  async ({ params, body, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    if (body.model !== undefined || body.workspace !== undefined) throw new AppError("locked");
    await session.patch(body, person.id);
    if (body.visibility) await runtime.streams.recheck(params.project);
    return json(await viewSession(runtime.sessions, params, person.id));
  },
);

export const DELETE = handle({ right: "work", params }, async ({ params, person, runtime }) => {
  await foundSession(runtime.sessions, params, person);
  await runtime.sessions.remove(params, person.id);
  return noContent();
});
