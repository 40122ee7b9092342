/** A message into the running Task: it is delivered with the Task's next input. The same client_id again: taken once. */
import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/api/errors";
import { steerBody } from "@/lib/api/schemas";
import { handle, json } from "@/server/http";
import { checkParts } from "@/server/session/attachments";
import { foundSession } from "@/server/session/found";

const MAX_BYTES = 20 * 1024 * 1024;

export const POST = handle(
  { right: "work", params: ["project", "agent", "session"], body: steerBody, maxBytes: MAX_BYTES },
  async ({ params, body, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    const { text } = body;
    const parts = checkParts((body.images ?? []).map((data_url) => ({ type: "image", data_url })));
    if (text.trim() === "" && parts.length === 0) throw new AppError("bad_request", "The message is empty.");
    const images = parts.flatMap((part) => (part.type === "image" ? [part.data_url] : []));
    const id = body.client_id ?? randomUUID();
    await session.steer({ id, text, images, author: person.id });
    return json({ id }, 202);
  },
);
