import { putModelsBody } from "@/lib/api/model-bodies";
import { handle, json } from "@/server/http";

export const GET = handle({ right: "read", params: ["project"] }, async ({ params, role, runtime: { models } }) =>
  json(await models.view(params.project, role === "owner")),
);

/** The whole table; keys are write-only. */
export const PUT = handle(
  { right: "own", params: ["project"], body: putModelsBody },
  async ({ person, params, body, runtime: { models, audit, sessions } }) => {
    const view = await models.put(params.project, body, person);
    await audit.write({ by: person.id, action: "models.change", models: body.models.length }, params.project);
    void sessions.credentialsChanged(params.project);
    return json(view);
  },
);
