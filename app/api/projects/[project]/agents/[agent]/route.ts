import { patchAgentBody } from "@/lib/api/schemas";
import { handle, json, noContent } from "@/server/http";

export const GET = handle({ right: "read", params: ["project", "agent"] }, async ({ params, runtime: { agents } }) =>
  json({ agent: await agents.view(params) }),
);

export const PATCH = handle(
  { right: "work", params: ["project", "agent"], body: patchAgentBody },
  async ({ params, body, runtime: { agents } }) => json({ agent: await agents.patch(params, body) }),
);

export const DELETE = handle({ right: "own", params: ["project", "agent"] }, async ({ person, params, runtime }) => {
  await runtime.agents.remove(params, () => runtime.sessions.stop(params.project, params.agent));
  await runtime.audit.write({ by: person.id, action: "agent.delete", agent: params.agent }, params.project);
  return noContent();
});
