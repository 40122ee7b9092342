/** Usage and cost of a Project. */
import { usageQuery } from "@/lib/api/usage";
import { handle, json } from "@/server/http";

export const GET = handle(
  { right: "read", params: ["project"], query: usageQuery },
  async ({ params, query, person, runtime }) => json(await runtime.usage.view(params.project, person.id, query)),
);
