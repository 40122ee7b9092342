/** One Session: look, change its settings, delete it with its Traces. */
import { AppError } from "@/lib/api/errors";
import type { SessionRef } from "@/lib/api/routes";
import { patchSessionBody } from "@/lib/api/schemas";
import { refuseSelfApproval } from "@/server/auth/person";
import { handle, json, noContent } from "@/server/http";
import type { Runtime } from "@/server/runtime";
import { foundSession } from "@/server/session/found";
import { viewSession } from "@/server/session/list";
import { creatorOf } from "@/server/trace/visible";

const params = ["project", "agent", "session"] as const;

export const GET = handle({ right: "read", params }, async ({ params, person, runtime }) => {
  const view = await viewSession(runtime.sessions, params, person.id);
  if (!view) throw new AppError("not_found");
  return json(view);
});

/** Who sees a Session is its creator's to say, or of whoever brought it in; nobody may take one from the others. */
async function requireCreator({ traces }: Runtime, ref: SessionRef, creator: string | undefined, person: string) {
  const facts = await traces.session(ref, ref.session);
  if ((facts ? creatorOf(facts) : creator) !== person) {
    throw new AppError("forbidden", "Only the person who started this conversation decides who sees it.");
  }
}

export const PATCH = handle(
  { right: "work", params, body: patchSessionBody },
  async ({ params, body, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    if (body.model !== undefined || body.workspace !== undefined) throw new AppError("locked");
    refuseSelfApproval(person, body.approval_mode);
    if (body.visibility !== undefined) await requireCreator(runtime, params, session.meta.created_by, person.id);
    await session.patch(body, person.id);
    if (body.visibility) await runtime.streams.recheck(params.project);
    return json(await viewSession(runtime.sessions, params, person.id));
  },
);

export const DELETE = handle({ right: "work", params }, async ({ params, person, runtime }) => {
  const { settings } = await foundSession(runtime.sessions, params, person);
  await runtime.sessions.remove(params, person.id);
  await runtime.shares.forget(params.project, params);
  await runtime.audit.write(
    {
      by: person.id,
      action: "session.delete",
      agent: params.agent,
      session: params.session,
      ...(settings.visibility === "private" ? { private: true } : {}),
    },
    params.project,
  );
  return noContent();
});
