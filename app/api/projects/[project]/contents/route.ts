/** What would go with the Project: shown before it is deleted. Numbers only, private Sessions included. */
import type { ProjectContents } from "@/lib/api/team";
import { handle, json } from "@/server/http";

export const GET = handle({ right: "own", params: ["project"] }, async ({ params: { project }, runtime }) => {
  const agents = await runtime.agents.list(project);
  const stored = await Promise.all(agents.map(({ id }) => runtime.traces.sessions({ project, agent: id })));
  const live = runtime.sessions.live().filter(({ ref }) => ref.project === project);
  const contents: ProjectContents = {
    agents: agents.length,
    sessions: stored.reduce((sum, sessions) => sum + sessions.length, 0),
    running: live.filter(({ status }) => status !== "idle").length,
    members: (await runtime.projects.members.list(project))?.length ?? (await runtime.users.admins()).length,
  };
  return json(contents);
});
