import { putModelsBody } from "@/lib/api/model-bodies";
import { handle, json } from "@/server/http";

export const GET = handle(
  { right: "read", params: ["project"], tokens: "never" },
  async ({ params, role, runtime: { models } }) => json(await models.view(params.project, role === "owner")),
);

/** The whole table; keys are write-only. */
export const PUT = handle(
  { right: "own", params: ["project"], body: putModelsBody },
  async ({ person, params, body, runtime: { models, audit, sessions } }) => {
    const view = await models.put(params.project, body, person);
    // Which ones got another key or lost theirs; never a key.
    const keys = body.models
      .filter(({ api_key }) => api_key !== undefined)
      .map((one) => `${one.provider}/${one.model_id}`);
    const entry = { by: person.id, action: "models.change", models: body.models.length };
    await audit.write({ ...entry, ...(keys.length > 0 ? { keys } : {}) }, params.project);
    void sessions.credentialsChanged(params.project);
    return json(view);
  },
);
