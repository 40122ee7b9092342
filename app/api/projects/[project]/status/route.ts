/** What the Project's Sessions are doing right now; with an ETag, so that asking again costs next to nothing. */
import { createHash } from "node:crypto";
import { handle, json } from "@/server/http";
import { projectStatus } from "@/server/session/list";

export const GET = handle({ right: "read", params: ["project"] }, async ({ params, person, request, runtime }) => {
  const status = await projectStatus(runtime.sessions, params.project, person.id);
  const etag = `"${createHash("sha256").update(JSON.stringify(status)).digest("base64url").slice(0, 22)}"`;
  const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return json(status, 200, headers);
});
