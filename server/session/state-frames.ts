/** Runtime state -> frames of the event stream. */
import { AppError, isAppError } from "../../lib/api/errors";
import type { QueuedMessage, QueueFrame, StateFrame } from "../../lib/api/frames";
import type { InputPart } from "../../lib/api/schemas";
import type { Steering } from "../engine/inbox";
import type { TaskOutcome } from "../engine/task";
import { diskFull } from "../files";
import type { NotSaved } from "./drive";
import type { HeldItem } from "./queue";

export function textOf(parts: readonly InputPart[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

/** Undelivered steering first, then the messages that wait for a Task of their own. */
export function queueFrame(steering: readonly Steering[], queued: readonly HeldItem[]): QueueFrame {
  const waiting = new Set(steering.map(({ id }) => id));
  return {
    items: [
      ...steering.filter(({ sender }) => !sender).map(steeringView),
      ...queued.filter(({ id }) => !waiting.has(id)).map(queuedView),
    ],
  };
}

/** Undelivered steering as it waits on disk. */
export function heldSteering({ id, text, images, author }: Steering): HeldItem {
  const parts: InputPart[] = images.map((data_url) => ({ type: "image", data_url }));
  if (text !== "") parts.unshift({ type: "text", text });
  return { id, kind: "steer", parts, ...(author ? { author } : {}) };
}

function steeringView({ id, text, images, author }: Steering): QueuedMessage {
  return view({ id, kind: "steer", text }, images.length, author);
}
function queuedView({ id, kind, parts, author }: HeldItem): QueuedMessage {
  return view({ id, kind, text: textOf(parts) }, parts.filter((part) => part.type === "image").length, author);
}
function view(message: QueuedMessage, images: number, author: string | undefined): QueuedMessage {
  return { ...message, ...(images > 0 ? { images } : {}), ...(author ? { author } : {}) };
}

/** Why a Task that waited could not begin. */
export function unbegunError(error: unknown): NonNullable<StateFrame["error"]> {
  const { code, message } = isAppError(error) ? error : new AppError(diskFull(error) ? "disk_full" : "internal");
  return { code, message };
}

/** Why a Task ended badly; undefined when it did not. `text`: what the person typed, should it come back to them. */
export function errorOf(outcome: TaskOutcome | NotSaved, text: string): StateFrame["error"] {
  switch (outcome.kind) {
    case "not_saved": {
      const code = outcome.code === "disk_full" ? "disk_full" : "not_saved";
      return { code, message: `Not saved: ${outcome.message}. The Task was stopped.`, ...(text ? { text } : {}) };
    }
    case "refused":
      return { code: "refused", message: outcome.message, ...(outcome.text ? { text: outcome.text } : {}) };
    case "auth":
    case "failed":
      return { code: outcome.kind, message: outcome.message };
    default:
      return undefined;
  }
}
