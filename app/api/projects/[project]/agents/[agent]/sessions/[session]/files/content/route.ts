/** One file of the Session's Workspace or scratchpad: read it, or save one into the Workspace. */
import { z } from "zod";
import { readBounded } from "@/server/body";
import { FILE_TYPE, handle, json } from "@/server/http";
import { SessionFiles } from "@/server/session/files";
import { SHOWN } from "@/server/session/shown-file";

const MAX_BYTES = 50 * 1024 * 1024;
const path = z.string().min(1).max(4_096);

export const GET = handle(
  {
    right: "read",
    params: ["project", "agent", "session"],
    query: z.object({ path, as: z.enum(SHOWN).default("download") }),
  },
  async ({ params, query, person, runtime }) => {
    const files = await SessionFiles.of(runtime.sessions, params, person);
    return files.read(query.path, query.as);
  },
);

export const POST = handle(
  {
    right: "work",
    params: ["project", "agent", "session"],
    query: z.object({ path, replace: z.literal("1").optional() }),
    raw: FILE_TYPE,
  },
  async ({ params, query, person, request, runtime }) => {
    const files = await SessionFiles.of(runtime.sessions, params, person);
    const data = await readBounded(request, MAX_BYTES);
    return json({ file: await files.save(query.path, data, query.replace === "1") }, 201);
  },
);
