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
  const { project, agent } = params;
  await runtime.agents.remove(params, async () => {
    await runtime.sessions.stop(project, agent);
    await runtime.budgets.deleting(project, agent, undefined, person.id);
  });
  await runtime.shares.forget(project, { agent });
  await runtime.audit.write({ by: person.id, action: "agent.delete", agent: params.agent }, params.project);
  return noContent();
});
