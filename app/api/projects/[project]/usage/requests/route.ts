/** The Requests that a figure of the usage page is made of. */
import { usageRequestsQuery } from "@/lib/api/usage";
import { handle, json } from "@/server/http";

export const GET = handle(
  { right: "read", params: ["project"], query: usageRequestsQuery },
  async ({ params, query, person, runtime }) => json(await runtime.usage.requests(params.project, person.id, query)),
);
