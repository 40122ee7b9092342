/** What one person used in all Projects that they are a member of. */
import { ownUsageQuery } from "@/lib/api/usage";
import { handle, json } from "@/server/http";

export const GET = handle({ right: "signed_in", query: ownUsageQuery }, async ({ query, person, runtime }) =>
  json(await runtime.usage.own(person.id, await runtime.projects.of(person), query)),
);
