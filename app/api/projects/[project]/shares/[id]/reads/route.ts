/** Who read a share link, newest first: for whoever made it, and owners. */
import { AppError } from "@/lib/api/errors";
import { handle, json } from "@/server/http";
import { found } from "@/server/trace/access";

export const GET = handle(
  { right: "work", params: ["project", "id"], tokens: "never" },
  async ({ params: { project, id }, person, role, runtime }) => {
    const link = found(await runtime.shares.get(project, id));
    const view = found(await runtime.shareDesk.view(link, { id: person.id, owner: role === "owner" }));
    if (!view.mine) throw new AppError("forbidden");
    return json({ reads: await runtime.shares.reads(link) });
  },
);
