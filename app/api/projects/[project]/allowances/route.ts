/** What this Project may use of the server; an admin decides, whether a member of the Project or not. */
import { AppError } from "@/lib/api/errors";
import { allowancesBody } from "@/lib/api/team";
import { handle, json } from "@/server/http";

export const PUT = handle(
  { right: "admin", params: ["project"], body: allowancesBody },
  async ({ person, params: { project }, body, runtime }) => {
    if (!(await runtime.projects.exists(project))) throw new AppError("not_found");
    await runtime.allowances.set(project, body);
    // Models that were locked by an address or a missing key may be usable now.
    await runtime.sessions.credentialsChanged(project);
    await runtime.audit.write({ by: person.id, action: "project.allow", ...body }, project);
    return json({ allowance: await runtime.allowances.of(project) });
  },
);
