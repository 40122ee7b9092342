import { createAgentBody } from "@/lib/api/schemas";
import { handle, json } from "@/server/http";

export const GET = handle({ right: "read", params: ["project"] }, async ({ params, runtime: { agents } }) =>
  json({ agents: await agents.list(params.project) }),
);

export const POST = handle(
  { right: "work", params: ["project"], body: createAgentBody },
  async ({ person, params, body, runtime: { agents, audit } }) => {
    const ref = { project: params.project, agent: body.id };
    await agents.create(ref, { name: body.name });
    await audit.write({ by: person.id, action: "agent.create", agent: body.id }, params.project);
    return json({ agent: await agents.view(ref) }, 201);
  },
);
