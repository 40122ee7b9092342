/** How this Project's commands are kept apart from the machine; everybody who works in it may know, owners decide. */
import { type IsolationView, putIsolationBody } from "@/lib/api/isolation";
import type { Role } from "@/lib/api/schemas";
import { handle, json } from "@/server/http";
import type { Runtime } from "@/server/runtime";
import { networkOf } from "@/server/workspace/isolation";

async function view(
  { isolation, projectIsolation }: Runtime,
  project: string,
  role: Role | null,
): Promise<IsolationView> {
  const [found, settings] = await Promise.all([isolation.found(), projectIsolation.of(project)]);
  return {
    ...settings,
    isolated: found.sandbox !== null,
    effective_network: found.sandbox ? networkOf(settings.network, found) : "host",
    ...(found.problem ? { problem: found.problem } : {}),
    ...(found.detail && role === "owner" ? { detail: found.detail } : {}),
  };
}

export const GET = handle({ right: "read", params: ["project"] }, async ({ params, role, runtime }) =>
  json(await view(runtime, params.project, role)),
);

export const PUT = handle(
  { right: "own", params: ["project"], body: putIsolationBody },
  async ({ params, body, person, role, runtime }) => {
    await runtime.projectIsolation.put(params.project, body);
    await runtime.audit.write({ by: person.id, action: "policy.isolation", ...body }, params.project);
    return json(await view(runtime, params.project, role));
  },
);
