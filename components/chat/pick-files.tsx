"use client";
import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { byteSize } from "@/lib/format";
import { MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES } from "./attachments";

/** Opens the browser's file picker; its label names the limits. */
export function PickFiles({ onFiles, disabled }: { onFiles: (files: File[]) => void; disabled: boolean }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const limits = { count: MAX_FILES, each: byteSize(MAX_FILE_BYTES), all: byteSize(MAX_TOTAL_BYTES) };
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <IconButton label={t("attach.label", limits)} disabled={disabled} onClick={() => input.current?.click()}>
        <Paperclip />
      </IconButton>
    </>
  );
}
