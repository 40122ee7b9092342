import { patchProjectBody } from "@/lib/api/schemas";
import { handle, json, noContent } from "@/server/http";

export const GET = handle({ right: "read", params: ["project"] }, async ({ params, role, runtime: { projects } }) =>
  json({ project: { id: params.project, name: await projects.name(params.project), role } }),
);

export const PATCH = handle(
  { right: "own", params: ["project"], body: patchProjectBody },
  async ({ person, params, body, role, runtime: { projects, audit } }) => {
    await projects.rename(params.project, body.name);
    await audit.write({ by: person.id, action: "project.rename", name: body.name }, params.project);
    return json({ project: { id: params.project, name: await projects.name(params.project), role } });
  },
);

export const DELETE = handle({ right: "own", params: ["project"] }, async ({ person, params, runtime }) => {
  await runtime.projects.remove(params.project, () => runtime.sessions.stop(params.project));
  runtime.streams.close((stream) => stream.project === params.project);
  await runtime.audit.write({ by: person.id, action: "project.delete", project: params.project });
  return noContent();
});
