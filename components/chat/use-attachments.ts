"use client";
import { type ClipboardEvent, useEffect, useRef, useState } from "react";
import { type Attachment, chooseFiles, type Refusal, readAttachment } from "./attachments";

export interface Attachments {
  list: readonly Attachment[];
  refused: readonly Refusal[];
  dragging: boolean;
  add: (files: File[]) => void;
  remove: (id: string) => void;
  /** All of them; a promise while some are still being read. */
  ready: () => readonly Attachment[] | Promise<readonly Attachment[]>;
  /** These were sent; what came meanwhile stays. */
  sent: (files: readonly Attachment[]) => void;
  /** Those of a message that was taken back. */
  restore: (files: readonly Attachment[]) => void;
  onPaste: (event: ClipboardEvent) => void;
}

/** Files chosen, pasted, or dropped anywhere on the page, until they are sent. */
export function useAttachments(off: boolean): Attachments {
  const [list, setList] = useState<readonly Attachment[]>([]);
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const now = useRef(list);
  const reading = useRef<Promise<unknown> | null>(null);
  const change = (next: readonly Attachment[]) => {
    now.current = next;
    setList(next);
  };
  const read = async (accepted: readonly File[], others: readonly Refusal[]) => {
    const files = await Promise.all(accepted.map(readAttachment));
    const unreadable = accepted
      .filter((_, i) => !files[i])
      .map(({ name }): Refusal => ({ reason: "unreadable", name }));
    if (unreadable.length > 0) setRefused([...others, ...unreadable]);
    change([...now.current, ...files.filter((file) => file !== null)]);
  };
  const add = (files: File[]) => {
    const chosen = chooseFiles(files, now.current);
    setRefused(chosen.refused);
    if (chosen.accepted.length === 0) return;
    const all = Promise.all([reading.current, read(chosen.accepted, chosen.refused)]).then(() => {
      if (reading.current === all) reading.current = null;
    });
    reading.current = all;
  };
  const dragging = useFileDrop(off, add);
  return {
    list,
    refused,
    dragging,
    add,
    remove: (id) => change(now.current.filter((file) => file.id !== id)),
    restore: (files) => change([...now.current, ...files]),
    ready: () => (reading.current ? reading.current.then(() => now.current) : now.current),
    sent: (files) => {
      change(now.current.filter((file) => !files.includes(file)));
      setRefused([]);
    },
    onPaste: (event) => {
      const files = [...event.clipboardData.files];
      if (files.length === 0) return;
      event.preventDefault();
      add(files);
    },
  };
}

/**
 * Files dropped anywhere on the page are taken: beside a small target the browser would leave the page to show them.
 * True while files hover over it.
 */
function useFileDrop(off: boolean, onFiles: (files: File[]) => void): boolean {
  const [dragging, setDragging] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (event.defaultPrevented || !carriesFiles(event)) return;
      event.preventDefault();
      setDragging(!off);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const drop = (event: DragEvent) => {
      setDragging(false);
      if (event.defaultPrevented || !carriesFiles(event)) return;
      event.preventDefault();
      if (!off) take.current([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, [off]);
  return dragging;
}
