"use client";
import { useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, RefreshCw, Upload } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Confirm } from "@/components/ui/confirm";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { byteSize } from "@/lib/format";
import { useConversation } from "../conversation-context";
import { FilePreview } from "./file-preview";
import { FileTree } from "./file-tree";
import { useSaveFile } from "./use-files";

const MAX_BYTES = 50 * 1024 * 1024;

interface FilesPanelProps {
  path: string | null;
  onOpen: (path: string | null) => void;
}

/** The Workspace of this conversation: its tree, one file, and a way to put files in. */
export default function FilesPanel({ path, onOpen }: FilesPanelProps) {
  const t = useT();
  const { sessionRef, canWork } = useConversation();
  const client = useQueryClient();
  const [folder, setFolder] = useState("");
  const uploads = useUploads(folder);
  const input = useRef<HTMLInputElement>(null);
  const back = (
    <IconButton label={t("files.back")} size="sm" onClick={() => onOpen(null)}>
      <ArrowLeft />
    </IconButton>
  );
  if (path !== null) return <FilePreview path={path} onBack={back} />;
  const onDrop = (event: DragEvent) => {
    if (!canWork) return;
    event.preventDefault();
    event.stopPropagation();
    void uploads.add([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button
    <div className="flex min-h-0 flex-1 flex-col" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <div className="flex h-10 shrink-0 items-center gap-1 border-b px-2">
        <span className={cn("min-w-0 flex-1 truncate px-1 text-xs text-dim", folder && "font-mono")}>
          {folder || t("files.workspace")}
        </span>
        {canWork && (
          <>
            <Button size="sm" variant="ghost" busy={uploads.busy} onClick={() => input.current?.click()}>
              <Upload aria-hidden="true" />
              {uploads.busy ? `${Math.round(uploads.share * 100)} %` : t("files.upload")}
            </Button>
            <input
              ref={input}
              type="file"
              multiple
              hidden
              aria-label={t("files.upload")}
              onChange={(event) => {
                void uploads.add([...(event.target.files ?? [])]);
                event.target.value = "";
              }}
            />
          </>
        )}
        <IconButton
          label={t("files.refresh")}
          size="sm"
          onClick={() => void client.invalidateQueries({ queryKey: ["folder", sessionRef.agent, sessionRef.session] })}
        >
          <RefreshCw />
        </IconButton>
      </div>
      {uploads.error && (
        <Banner tone="danger" className="m-2">
          {uploads.error}
        </Banner>
      )}
      <FileTree selected={path} onOpen={onOpen} folder={folder} onFolder={setFolder} />
      <Confirm
        open={uploads.asked !== null}
        onOpenChange={(open) => !open && uploads.answer(false)}
        title={t("files.replace", { name: uploads.asked?.name ?? "" })}
        action={t("files.replace_action")}
        body={t("files.replace_detail")}
        danger
        onConfirm={() => uploads.answer(true)}
      />
    </div>
  );
}

/** Files go one after the other; one that would replace another waits for a person's word. */
function useUploads(folder: string) {
  const t = useT();
  const save = useSaveFile();
  const [busy, setBusy] = useState(false);
  const [share, setShare] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const [asked, setAsked] = useState<File | null>(null);
  const reply = useRef<((replace: boolean) => void) | null>(null);
  const ask = (file: File) =>
    new Promise<boolean>((resolve) => {
      reply.current = resolve;
      setAsked(file);
    });
  const one = async (file: File): Promise<string | null> => {
    if (file.size > MAX_BYTES) return t("chat.file_too_large", { name: file.name, limit: byteSize(MAX_BYTES) });
    const first = await save(folder, file, false, setShare);
    if (first.ok) return null;
    if (first.error.code !== "exists") return `${file.name}: ${first.error.message}`;
    if (!(await ask(file))) return null;
    const second = await save(folder, file, true, setShare);
    return second.ok ? null : `${file.name}: ${second.error.message}`;
  };
  const add = async (files: File[]) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    for (const file of files) {
      setShare(0);
      const problem = await one(file);
      if (problem) setError(problem);
    }
    setBusy(false);
  };
  const answer = (replace: boolean) => {
    setAsked(null);
    reply.current?.(replace);
    reply.current = null;
  };
  return { add, busy, share, error, asked, answer };
}
