/** Pins and unread marks of the person who asks; nobody else's. */
import { patchMarksBody } from "@/lib/api/schemas";
import { handle, json } from "@/server/http";

const params = ["project"] as const;

export const GET = handle(
  { right: "read", params, tokens: "never" },
  async ({ params: { project }, person, runtime }) => json(await runtime.marks.of(person.id, project)),
);

export const PATCH = handle(
  { right: "read", params, tokens: "never", body: patchMarksBody },
  async ({ params: { project }, body, person, runtime }) => json(await runtime.marks.change(person.id, project, body)),
);
