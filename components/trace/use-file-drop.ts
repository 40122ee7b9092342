"use client";
import { type DragEvent, useRef, useState } from "react";

/** Files dropped anywhere on an element. Other drags (text, links) pass by. */
export function useFileDrop(enabled: boolean, onFiles: (files: File[]) => void) {
  const [over, setOver] = useState(false);
  // Entering a child leaves its parent: only the balance says whether the pointer is still inside.
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => enabled && event.dataTransfer.types.includes("Files");
  const target = {
    onDragEnter: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth.current++;
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setOver(false);
    },
    onDragOver: (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      const files = [...event.dataTransfer.files];
      if (files.length > 0) onFiles(files);
    },
  };
  return { over, target };
}
