/** Older records of a Session, in windows cut on Task boundaries, across all of its files. */
import { z } from "zod";
import { AppError } from "@/lib/api/errors";
import type { MessagesPage } from "@/lib/api/schemas";
import type { RecordAddress } from "@/lib/omni/message";
import { handle, json } from "@/server/http";
import { maySee } from "@/server/session/access";
import { elideMessage } from "@/server/session/drive";
import { DEFAULT_PAGE, pageBefore } from "@/server/session/pages";

const query = z.object({
  before: z
    .string()
    .regex(/^\d{1,9}:\d{1,9}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(DEFAULT_PAGE),
});

function cursor(text: string | undefined): RecordAddress | null {
  const [file_index = 0, line = 0] = text?.split(":").map(Number) ?? [];
  return text === undefined ? null : { file_index, line };
}

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"], query },
  async ({ params, query, person, runtime }) => {
    if (!(await maySee(runtime.sessions, params, person.id))) throw new AppError("not_found");
    const files = await runtime.traces.files(params, params.session);
    const source = {
      indexes: files.map(({ index }) => index),
      read: async (index: number) => (await runtime.traces.read(params, params.session, index))?.records ?? null,
    };
    const page = await pageBefore(source, cursor(query.before), query.limit);
    const records = page.records.map(({ address, message }) => ({ address, message: elideMessage(message) }));
    const before = page.before && `${page.before.file_index}:${page.before.line}`;
    return json({ records, ...(before ? { before } : {}) } satisfies MessagesPage);
  },
);
