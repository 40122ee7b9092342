/** Withdraws a share link: whoever made it, or an owner. */
import { AppError } from "@/lib/api/errors";
import { handle, noContent } from "@/server/http";
import { found } from "@/server/trace/access";

export const DELETE = handle(
  { right: "work", params: ["project", "id"], tokens: "never" },
  async ({ params: { project, id }, person, role, runtime }) => {
    const link = found(await runtime.shares.get(project, id));
    const view = found(await runtime.shareDesk.view(link, { id: person.id, owner: role === "owner" }));
    if (!view.mine) throw new AppError("forbidden", "Only owners and whoever made a link withdraw it.");
    if (!link.revoked) {
      await runtime.shares.revoke(link, person.id, "revoked");
      await runtime.audit.write({ by: person.id, action: "share.revoke", share: id }, project);
    }
    return noContent();
  },
);
