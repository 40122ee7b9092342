"use client";
import { type ClipboardEvent, type DragEvent, useState } from "react";
import { type Attachment, chooseFiles, type Refusal, readAttachment } from "./attachments";

export interface Attachments {
  list: readonly Attachment[];
  refused: readonly Refusal[];
  dragging: boolean;
  add: (files: File[]) => void;
  remove: (id: string) => void;
  clear: () => void;
  onPaste: (event: ClipboardEvent) => void;
  dropTarget: {
    onDragOver: (event: DragEvent) => void;
    onDragLeave: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
  };
}

/** Files chosen, pasted or dropped, until they are sent. */
export function useAttachments(): Attachments {
  const [list, setList] = useState<readonly Attachment[]>([]);
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const [dragging, setDragging] = useState(false);
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
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    list,
    refused,
    dragging,
    add,
    remove: (id) => setList((before) => before.filter((file) => file.id !== id)),
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
    dropTarget: {
      onDragOver: (event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setDragging(true);
      },
      onDragLeave: () => setDragging(false),
      onDrop: (event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setDragging(false);
        void add([...event.dataTransfer.files]);
      },
    },
  };
}
