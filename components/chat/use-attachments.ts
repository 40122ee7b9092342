"use client";
import { type ClipboardEvent, useEffect, useRef, useState } from "react";
import { type Attachment, chooseFiles, type Refusal, readAttachment } from "./attachments";

export interface Attachments {
  list: readonly Attachment[];
  refused: readonly Refusal[];
  dragging: boolean;
  add: (files: File[]) => void;
  remove: (id: string) => void;
  clear: () => void;
  /** Those of a message that was taken back. */
  restore: (files: readonly Attachment[]) => void;
  onPaste: (event: ClipboardEvent) => void;
}

/** Files chosen, pasted, or dropped anywhere on the page, until they are sent. */
export function useAttachments(off: boolean): Attachments {
  const [list, setList] = useState<readonly Attachment[]>([]);
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const add = async (files: File[]) => {
    const chosen = chooseFiles(files, list);
    setRefused(chosen.refused);
    const read = await Promise.all(chosen.accepted.map(readAttachment));
    const unreadable = chosen.accepted
      .filter((_, i) => !read[i])
      .map(({ name }): Refusal => ({ reason: "unreadable", name }));
    if (unreadable.length > 0) setRefused([...chosen.refused, ...unreadable]);
    setList((before) => [...before, ...read.filter((file) => file !== null)]);
  };
  const dragging = useFileDrop(off, add);
  return {
    list,
    refused,
    dragging,
    add,
    remove: (id) => setList((before) => before.filter((file) => file.id !== id)),
    restore: (files) => setList((before) => [...before, ...files]),
    clear: () => {
      setList([]);
      setRefused([]);
    },
    onPaste: (event) => {
      const files = [...event.clipboardData.files];
      if (files.length === 0) return;
      event.preventDefault();
      void add(files);
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
