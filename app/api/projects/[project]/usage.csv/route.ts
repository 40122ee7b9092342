/** A table of the usage page as CSV. */
import { usageCsvQuery } from "@/lib/api/usage";
import { handle } from "@/server/http";

export const GET = handle(
  { right: "read", params: ["project"], query: usageCsvQuery },
  async ({ params, query, person, runtime }) => {
    const csv = await runtime.usage.csv(params.project, person.id, query);
    await runtime.audit.write({ by: person.id, action: "usage.export", table: query.table }, params.project);
    return new Response(csv, {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="usage-${params.project}-${query.table}.csv"`,
      },
    });
  },
);
