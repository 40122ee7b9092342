/**
 * What is behind a share link: a whole page, for people who are signed in, or for everybody where link and Project say
 * so. A link that is wrong, has expired or was withdrawn is one and the same 404.
 */
import { places } from "@/lib/api/places";
import { deviceOf } from "@/server/auth/device";
import { handlePublic, visitor } from "@/server/http";
import type { Runtime } from "@/server/runtime";
import { gonePage, PAGE_HEADERS, sharePage } from "@/server/share/page";
import { readersLanguage } from "@/server/share/reader";

const params = ["token"] as const;

async function look(request: Request, runtime: Runtime, token: string) {
  const opened = await runtime.shareDesk.open(token);
  const person = opened && (await visitor(request, runtime));
  return { opened, person, mayRead: opened !== null && (opened.public || person !== null) };
}

export const GET = handlePublic({ params }, async ({ request, params: { token }, runtime }) => {
  const language = readersLanguage(request.headers);
  const { opened, person, mayRead } = await look(request, runtime, token);
  if (opened && !mayRead) {
    const location = `/sign-in?to=${encodeURIComponent(places.shared(token))}`;
    return new Response(null, { status: 303, headers: { ...PAGE_HEADERS, location } });
  }
  const content = opened && (await runtime.shares.content(opened.link));
  if (!content) return new Response(gonePage(language), { status: 404, headers: PAGE_HEADERS });
  const device = deviceOf(request.headers.get("user-agent"));
  await runtime.shares.noteRead(opened.link, person ? { by: person.id } : { ...(device ? { device } : {}) });
  return new Response(sharePage(content, language), { headers: PAGE_HEADERS });
});

/** An open page asks whether it may still be shown: no reading. */
export const HEAD = handlePublic({ params }, async ({ request, params: { token }, runtime }) => {
  const { opened, mayRead } = await look(request, runtime, token);
  return new Response(null, { status: !opened ? 404 : mayRead ? 200 : 401, headers: PAGE_HEADERS });
});
