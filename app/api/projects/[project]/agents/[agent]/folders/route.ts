/** One level of the folders in which a new Session may work. */
import { z } from "zod";
import { handle, json } from "@/server/http";
import { foldersFor } from "@/server/session/folders";

const query = z.object({ path: z.string().min(1).max(4_096).optional() });

export const GET = handle(
  { right: "work", params: ["project", "agent"], query },
  async ({ params, query: { path }, person, runtime }) =>
    json(await foldersFor(runtime.sessions.host, params, person.id, path ?? null)),
);
