import { modelUsesQuery } from "@/lib/api/model-bodies";
import { handle, json } from "@/server/http";
import { modelUses } from "@/server/session/uses";

/** How many Sessions would lose their model: a number only, private ones are in it. */
export const GET = handle(
  { right: "own", params: ["project"], query: modelUsesQuery },
  async ({ params, query, runtime: { agents, traces } }) =>
    json(await modelUses(traces, refsOf(params.project, await agents.list(params.project)), query, new Date())),
);

const refsOf = (project: string, agents: { id: string }[]) => agents.map(({ id }) => ({ project, agent: id }));
