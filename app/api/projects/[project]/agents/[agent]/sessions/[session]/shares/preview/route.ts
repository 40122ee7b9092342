/** What readers of a link with these turns would get: the page itself, and what was taken out of it. Makes nothing. */
import { type SharePreview, shareChoice } from "@/lib/api/share";
import { handle, json } from "@/server/http";
import { sharePage } from "@/server/share/page";
import { readersLanguage } from "@/server/share/reader";
import { readableSession } from "@/server/trace/access";

export const POST = handle(
  { right: "work", params: ["project", "agent", "session"], body: shareChoice, tokens: "never" },
  async ({ request, params, body, person, runtime }) => {
    const facts = await readableSession(runtime.traces, params, person.id);
    const at = new Date().toISOString();
    const { content, masked, digest } = await runtime.shareDesk.prepare(params, facts, body, person.id, at);
    const html = sharePage(content, readersLanguage(request.headers));
    return json({ html, masked, turns: content.turns.length, at, digest } satisfies SharePreview);
  },
);
