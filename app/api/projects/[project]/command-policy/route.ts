/** Which commands this Project refuses; everybody who works in it may know, owners change it. */
import { putCommandPolicyBody } from "@/lib/api/command-policy";
import { handle, json } from "@/server/http";

export const GET = handle({ right: "read", params: ["project"] }, async ({ params, runtime }) =>
  json(await runtime.commandPolicy.view(params.project)),
);

/** The whole policy. */
export const PUT = handle(
  { right: "own", params: ["project"], body: putCommandPolicyBody },
  async ({ params, body, person, runtime }) => {
    await runtime.commandPolicy.put(params.project, body);
    const { enabled } = body;
    const rules =
      body.rules?.map((rule) => `${rule.enabled ? "" : "(off) "}${rule.name}: ${rule.pattern}`) ?? "default";
    await runtime.audit.write({ by: person.id, action: "policy.change", enabled, rules }, params.project);
    return json(await runtime.commandPolicy.view(params.project));
  },
);
