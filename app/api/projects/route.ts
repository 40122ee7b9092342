import { createProjectBody } from "@/lib/api/team";
import { DEFAULT_AGENT_NAME } from "@/server/agent/defaults";
import { handle, json } from "@/server/http";
import { DEFAULT_AGENT } from "@/server/paths";

/** One's own Projects; an admin also sees the bare ids of the others. */
export const GET = handle({ right: "signed_in", tokens: "list" }, async ({ person, runtime: { projects } }) => {
  const own = (await projects.of(person)).filter(({ id }) => person.token?.projects?.includes(id) ?? true);
  if (!person.admin) return json({ projects: own });
  const known = new Set(own.map(({ id }) => id));
  return json({ projects: own, others: (await projects.ids()).filter((id) => !known.has(id)) });
});

export const POST = handle({ right: "signed_in", body: createProjectBody }, async ({ person, body, runtime }) => {
  await runtime.projects.create(body.id, body.name, person.id);
  await runtime.agents.ensure({ project: body.id, agent: DEFAULT_AGENT }, { name: DEFAULT_AGENT_NAME });
  await runtime.audit.write({ by: person.id, action: "project.create", project: body.id });
  await runtime.audit.write({ by: person.id, action: "project.create" }, body.id);
  return json({ project: { id: body.id, name: await runtime.projects.name(body.id), role: "owner" } }, 201);
});
