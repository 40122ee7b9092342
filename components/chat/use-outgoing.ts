"use client";
import { useRef, useState } from "react";
import type { InputPart } from "@/lib/api/schemas";
import { type Attachment, newClientId, toParts } from "./attachments";
import type { Staged } from "./staged";

/** "send": a new Task. While one runs: "steer" goes into it, "queue" waits for its end. */
export type SendMode = "send" | "steer" | "queue";

export interface Outgoing {
  text: string;
  parts: InputPart[];
  /** Data URLs. */
  images: string[];
  client_id: string;
  mode: SendMode;
  /** What is to happen beside sending the text. */
  staged: Staged;
}
export type SendResult = { ok: true } | { ok: false; message: string; code?: string };

/** What a message that was taken back held. */
export type Recalled = { ok: true; text: string; files?: readonly Attachment[] } | { ok: false; message: string };

/** What stands in the composer. */
export interface Writing {
  text: string;
  /** A promise: some are still being read. */
  attachments: readonly Attachment[] | Promise<readonly Attachment[]>;
  modeOf: (attachments: readonly Attachment[]) => SendMode;
  staged: Staged;
}

interface Sending {
  busy: boolean;
  /** Why the last attempt failed. */
  error: string | null;
  clearError: () => void;
  /** One at a time, and never nothing. `taken`: the server has it; called in the step that ends `busy`. */
  send: (message: Writing, taken: (attachments: readonly Attachment[]) => void) => Promise<void>;
}

/**
 * Sends one message at a time. The same content tried again keeps its key, so that an attempt whose answer was lost and
 * the repeated one are one message to the server.
 */
export function useOutgoing(onSend: (message: Outgoing) => Promise<SendResult>): Sending {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const running = useRef(false);
  const attempt = useRef({ content: "", client_id: "" });
  const send: Sending["send"] = async ({ text, attachments: coming, modeOf, staged }, taken) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    const attachments = "then" in coming ? await coming : coming;
    const parts = toParts(text, attachments);
    if (parts.length === 0) {
      running.current = false;
      setBusy(false);
      return;
    }
    const content = JSON.stringify([text, attachments.map(({ id }) => id), staged]);
    if (attempt.current.content !== content) attempt.current = { content, client_id: newClientId() };
    const images = attachments.filter(({ image }) => image).map(({ data_url }) => data_url);
    const { client_id } = attempt.current;
    const result = await onSend({ text, parts, images, client_id, mode: modeOf(attachments), staged });
    running.current = false;
    setBusy(false);
    if (!result.ok) {
      setError(result.message);
      return;
    }
    attempt.current = { content: "", client_id: "" };
    taken(attachments);
  };
  return { busy, error, clearError: () => setError(null), send };
}
