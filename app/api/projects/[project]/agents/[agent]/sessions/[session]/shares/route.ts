/** Share links of a Session: what can be chosen and which there are; a new one, for exactly what was previewed. */
import { places } from "@/lib/api/places";
import { createShareBody, type MadeShare, type SessionShares } from "@/lib/api/share";
import { handle, json } from "@/server/http";
import { turnsOf } from "@/server/share/turns";
import { found, readableSession } from "@/server/trace/access";

const params = ["project", "agent", "session"] as const;

export const GET = handle({ right: "work", params, tokens: "never" }, async ({ params, person, role, runtime }) => {
  await readableSession(runtime.traces, params, person.id);
  const { project, agent, session } = params;
  const owner = role === "owner";
  const answer: SessionShares = {
    turns: await turnsOf(runtime.traces, params, session),
    links: await runtime.shareDesk.views(project, { id: person.id, owner }, { agent, session }),
    may: { public: await runtime.projects.publicLinks(project), never: owner },
  };
  return json(answer);
});

export const POST = handle(
  { right: "work", params, body: createShareBody, tokens: "never" },
  async ({ params, body, person, role, runtime }) => {
    const facts = await readableSession(runtime.traces, params, person.id);
    const owner = role === "owner";
    const { token, link } = await runtime.shareDesk.create(params, facts, body, { id: person.id, owner });
    const { id, turns, expires_at } = link;
    await runtime.audit.write(
      {
        by: person.id,
        action: "share.create",
        share: id,
        agent: params.agent,
        session: params.session,
        turns,
        public: link.public,
        expires: expires_at ?? "never",
      },
      params.project,
    );
    const view = found(await runtime.shareDesk.view(link, { id: person.id, owner }));
    return json({ link: view, path: places.shared(token) } satisfies MadeShare, 201);
  },
);
