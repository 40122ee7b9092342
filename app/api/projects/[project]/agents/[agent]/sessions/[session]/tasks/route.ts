/** A prompt: starts a Task, or waits behind the running one. */
import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/api/errors";
import { createTaskBody } from "@/lib/api/schemas";
import { handle, json } from "@/server/http";
import { foundSession } from "@/server/session/found";
import { checkParts } from "@/server/session/input";

const MAX_BYTES = 20 * 1024 * 1024;

export const POST = handle(
  { right: "work", params: ["project", "agent", "session"], body: createTaskBody, maxBytes: MAX_BYTES },
  async ({ params, body, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    if (body.model !== undefined || body.workspace !== undefined) throw new AppError("locked");
    if (body.goal) throw new AppError("not_supported", "Goals are not available in this version.");
    checkParts(body.input);
    const { input, thinking_level, confirm_import } = body;
    const task = {
      id: body.client_id ?? randomUUID(),
      parts: input,
      author: person.id,
      ...(thinking_level ? { thinking_level } : {}),
      ...(confirm_import ? { confirm_import } : {}),
    };
    return json({ task: await session.submit(task, body.queue ?? false) }, 202);
  },
);
