/** What an Agent knows how to do: its skills by name. */
import { handle, json } from "@/server/http";

export const GET = handle({ right: "read", params: ["project", "agent"] }, async ({ params, runtime }) =>
  json({ skills: await runtime.agents.skills(params) }),
);
