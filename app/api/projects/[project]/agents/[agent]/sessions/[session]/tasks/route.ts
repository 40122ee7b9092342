/** A prompt: starts a Task, or waits behind the running one. */
import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/api/errors";
import { createTaskBody } from "@/lib/api/schemas";
import { handle, json } from "@/server/http";
import { checkParts } from "@/server/session/attachments";
import { foundSession } from "@/server/session/found";

const MAX_BYTES = 20 * 1024 * 1024;

export const POST = handle(
  { right: "work", params: ["project", "agent", "session"], body: createTaskBody, maxBytes: MAX_BYTES },
  async ({ params, body, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    if (body.model !== undefined || body.workspace !== undefined) throw new AppError("locked");
    const input = checkParts(body.input);
    const says = input.some((part) => part.type === "text" && part.text.trim() !== "");
    if (!says && input.every((part) => part.type === "text")) {
      throw new AppError("bad_request", "The message is empty.");
    }
    if (body.goal && !says) throw new AppError("bad_request", "A goal needs a text.");
    if (body.goal && input.some((part) => part.type === "file")) {
      throw new AppError("bad_request", "A goal takes no files.");
    }
    const { thinking_level, confirm_import } = body;
    const task = {
      id: body.client_id ?? randomUUID(),
      parts: input,
      author: person.id,
      ...(thinking_level ? { thinking_level } : {}),
      ...(body.goal ? { goal: body.goal } : {}),
      ...(confirm_import ? { confirm_import } : {}),
    };
    return json({ task: await session.submit(task, body.queue ?? false) }, 202);
  },
);
