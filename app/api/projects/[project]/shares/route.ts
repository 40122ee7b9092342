/** The share links of a Project, as far as this person may know of them. */
import { handle, json } from "@/server/http";

export const GET = handle(
  { right: "work", params: ["project"], tokens: "never" },
  async ({ params, person, role, runtime }) =>
    json({ links: await runtime.shareDesk.views(params.project, { id: person.id, owner: role === "owner" }) }),
);
