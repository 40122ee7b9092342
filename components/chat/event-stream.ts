/** The event stream of one Session, over the connection that all windows of the browser share. */
import { FRAME_EVENTS, type Frame } from "@/lib/api/frames";
import { liveClient } from "@/lib/api/live/client";
import type { SessionRef } from "@/lib/api/routes";

export interface StreamEvent {
  id: string;
  frame: Frame;
}
export interface StreamHandlers {
  onOpen: () => void;
  onEvent: (event: StreamEvent) => void;
  /** Once. `status` is the HTTP status of a refusal, 0 for a broken or silent connection. */
  onEnd: (status: number) => void;
}
/** `lastId`: the last event seen, "" for none. */
export type OpenStream = (ref: SessionRef, lastId: string, handlers: StreamHandlers) => { close: () => void };

export const openStream: OpenStream = ({ project, agent, session }, lastId, { onOpen, onEvent, onEnd }) =>
  liveClient().open({ project, agent, session }, lastId, {
    onOpen,
    onEnd,
    onEvent: ({ id, event, data }) => {
      const frame = readFrame(event, data);
      if (frame) onEvent({ id, frame });
    },
  });

/** The server is trusted for the shape of a frame; a name that is not known here is for a later page. */
function readFrame(event: string, data: string): Frame | null {
  if (!FRAME_EVENTS.some((known) => known === event)) return null;
  return { event, data: JSON.parse(data) } as Frame;
}
