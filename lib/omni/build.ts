/** Constructors of envelopes: the only place where a timestamp is stamped. */
import type {
  CompletePayload,
  EventMessage,
  EventPayload,
  ModelMessage,
  PartialPayload,
  SessionMetaMessage,
  SessionMetaPayload,
} from "./message";

function now(): string {
  return new Date().toISOString();
}

export function sessionMeta(payload: SessionMetaPayload): SessionMetaMessage {
  return { timestamp: now(), type: "session_meta", payload };
}

/** A complete or partial model message around its payload. */
export function model<P extends CompletePayload | PartialPayload>(payload: P): ModelMessage<P> {
  return { timestamp: now(), type: "model_msg", payload };
}

export function event<P extends EventPayload>(payload: P): EventMessage<P> {
  return { timestamp: now(), type: "event_msg", payload };
}
