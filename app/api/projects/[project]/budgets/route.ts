/** Budgets of a Project and how far they are used; owners set them. */
import { budgetsQuery, putBudgetsBody } from "@/lib/api/usage";
import { handle, json } from "@/server/http";

export const GET = handle(
  { right: "read", params: ["project"], query: budgetsQuery },
  async ({ params, query, person, runtime }) =>
    json(await runtime.budgets.view(params.project, { user: person.id, ...query })),
);

/** The whole list. */
export const PUT = handle(
  { right: "own", params: ["project"], body: putBudgetsBody },
  async ({ params, body, person, runtime }) => {
    await runtime.budgets.put(params.project, body.budgets);
    await runtime.audit.write({ by: person.id, action: "budgets.change", budgets: body.budgets }, params.project);
    return json(await runtime.budgets.view(params.project, { user: person.id }));
  },
);
