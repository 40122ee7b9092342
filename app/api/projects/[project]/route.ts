/** One Project: look, change its name and what its Sessions begin with, delete it with everything in it. */
import type { Role } from "@/lib/api/schemas";
import { type ProjectView, patchProjectBody } from "@/lib/api/team";
import { handle, json, noContent } from "@/server/http";
import { DEFAULT_PROJECT } from "@/server/paths";
import type { Runtime } from "@/server/runtime";

async function view({ projects, allowances }: Runtime, id: string, role: Role | null): Promise<ProjectView> {
  return {
    id,
    name: await projects.name(id),
    role: role ?? "viewer",
    defaults: await projects.defaults(id),
    public_links: await projects.publicLinks(id),
    deletable: id !== DEFAULT_PROJECT,
    ...(role === "owner" ? { allowance: await allowances.of(id) } : {}),
  };
}

export const GET = handle({ right: "read", params: ["project"] }, async ({ params, role, runtime }) =>
  json({ project: await view(runtime, params.project, role) }),
);

export const PATCH = handle(
  { right: "own", params: ["project"], body: patchProjectBody },
  async ({ person, params, body, role, runtime }) => {
    await runtime.projects.change(params.project, body);
    const action = body.name === undefined ? "project.settings" : "project.rename";
    await runtime.audit.write({ by: person.id, action, ...body }, params.project);
    return json({ project: await view(runtime, params.project, role) });
  },
);

export const DELETE = handle({ right: "own", params: ["project"] }, async ({ person, params, runtime }) => {
  await runtime.projects.remove(params.project, async () => {
    // At once: what runs there may take some seconds to end.
    runtime.streams.close((stream) => stream.project === params.project);
    await runtime.sessions.stop(params.project);
  });
  await runtime.allowances.forget(params.project);
  await runtime.audit.write({ by: person.id, action: "project.delete", project: params.project });
  return noContent();
});
