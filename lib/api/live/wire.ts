/**
 * One connection per browser carries many streams. The server writes `sub: <number>` in front of every event; a window
 * and the owner of the connection (a SharedWorker, or one of the windows) speak the messages below.
 */
import type { SessionRef } from "../routes";

/** What can be followed: a Session's stream, or the states of a Project's Sessions. */
export type Target = SessionRef | { project: string };

/** Window to owner. `sub` is the window's own number. */
export type ToHub =
  | { type: "open"; sub: number; target: Target; last_id: string }
  | { type: "close"; sub: number }
  | { type: "alive" }
  | { type: "bye" };

/** Owner to window. `data` is JSON as it came. `status` 0: broken, try again; otherwise the HTTP status of a refusal. */
export type FromHub =
  | { type: "opened"; sub: number }
  | { type: "event"; sub: number; id: string; event: string; data: string }
  | { type: "ended"; sub: number; status: number }
  | { type: "alive" };

/** Whoever speaks to the owner of the connection. */
export interface Link {
  send(message: ToHub): void;
  close(): void;
}
export interface LinkHandlers {
  receive(batch: readonly FromHub[]): void;
  /** The owner is gone, and with it every stream. `usable`: another link of the same kind can be made. */
  lost(usable: boolean): void;
}
export type MakeLink = (handlers: LinkHandlers) => Link;

/** What a window hears of one stream. */
export interface SubHandlers {
  onOpen(): void;
  onEvent(event: { id: string; event: string; data: string }): void;
  /** Once. */
  onEnd(status: number): void;
}
