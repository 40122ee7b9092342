import { testModelBody } from "@/lib/api/model-bodies";
import { handle, json } from "@/server/http";

/** One small Request. A failed probe is an answer, not an error. */
export const POST = handle(
  { right: "own", params: ["project"], body: testModelBody },
  async ({ person, params, body, runtime: { models } }) => json(await models.test(params.project, body, person)),
);
