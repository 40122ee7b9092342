"use client";
import { FileText, Image } from "lucide-react";
import { Chip } from "@/components/ui/chip";
import { useT } from "@/components/ui/language";
import { byteSize } from "@/lib/format";
import { MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES, type Refusal } from "./attachments";
import type { Attachments } from "./use-attachments";

/** What goes with the message, and which files were refused and why. */
export function AttachmentChips({ files }: { files: Attachments }) {
  const t = useT();
  const limits: Record<Refusal["reason"], string> = {
    too_large: byteSize(MAX_FILE_BYTES),
    too_much: byteSize(MAX_TOTAL_BYTES),
    too_many: String(MAX_FILES),
    unreadable: "",
  };
  if (files.list.length === 0 && files.refused.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5 px-2.5 pt-2.5">
      {files.list.map(({ id, name, bytes, image, data_url }) => (
        <Chip
          key={id}
          icon={image ? <Thumbnail src={data_url} /> : <FileText aria-hidden="true" />}
          onRemove={() => files.remove(id)}
          removeLabel={t("chat.remove_file", { name })}
        >
          {name} <span className="text-faint">{byteSize(bytes)}</span>
        </Chip>
      ))}
      {files.refused.map(({ name, reason }) => (
        <p key={name} role="alert" className="w-full text-xs text-danger">
          {t(`chat.file_${reason}`, { name, limit: limits[reason] })}
        </p>
      ))}
    </div>
  );
}

function Thumbnail({ src }: { src: string }) {
  // biome-ignore lint/performance/noImgElement: a local data URL, nothing to optimise
  return src ? <img src={src} alt="" className="size-4 rounded-sm object-cover" /> : <Image aria-hidden="true" />;
}
