import { detectModelsBody } from "@/lib/api/model-bodies";
import { handle, json } from "@/server/http";

/** What an address speaks and which models it has. Nothing found is an answer, not an error. */
export const POST = handle(
  { right: "own", params: ["project"], body: detectModelsBody },
  async ({ person, params, body, runtime: { models } }) => json(await models.detect(params.project, body, person)),
);
