"use client";
import { File } from "lucide-react";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { type FileLinks, FileLinksProvider } from "@/components/ui/file-links";
import { useT } from "@/components/ui/language";
import type { KnownFile } from "@/lib/api/files";
import type { TaskBlock } from "@/lib/trace/transcript-items";
import { usePanel } from "../panel/panel-context";
import { mentionedNames } from "./file-kind";
import { useKnownFiles } from "./use-files";

const SHOWN = 3;

/** The files of the Workspace that an answer names; none while it is still being written. */
export function useMentioned(task: TaskBlock, settled: boolean): readonly KnownFile[] {
  // Not in the step in which the end of the answer is drawn.
  const search = useDeferredValue(settled, false);
  const names = useMemo(() => {
    if (!search) return NONE;
    const texts = task.items.flatMap((item) =>
      item.kind === "text" && typeof item.text === "string" ? [item.text] : [],
    );
    return mentionedNames(texts.join("\n"));
  }, [task.items, search]);
  return useKnownFiles(names);
}
const NONE: readonly string[] = [];

/** Names of these files in the text open them. */
export function MentionedFiles({ files, children }: { files: readonly KnownFile[]; children: ReactNode }) {
  const { show } = usePanel();
  const links = useMemo((): FileLinks => {
    const paths = new Map(files.map(({ name, path }) => [name, path]));
    return { find: (name) => paths.get(name.trim()) ?? null, open: (path) => show({ kind: "files", path }) };
  }, [files, show]);
  return <FileLinksProvider value={links}>{children}</FileLinksProvider>;
}

/** Under an answer: the files it names, each once. */
export function FilesCard({ files }: { files: readonly KnownFile[] }) {
  const t = useT();
  const { show } = usePanel();
  const [all, setAll] = useState(false);
  const unique = [...new Map(files.map((file) => [file.path, file])).values()];
  if (unique.length === 0) return null;
  return (
    <ul aria-label={t("files.mentioned")} className="flex flex-wrap gap-1.5">
      {(all ? unique : unique.slice(0, SHOWN)).map(({ path }) => (
        <li key={path}>
          <button
            type="button"
            title={path}
            onClick={() => show({ kind: "files", path })}
            className="inline-flex h-7 max-w-64 items-center gap-1.5 rounded-md border bg-surface px-2 text-xs text-dim hover:text-ink"
          >
            <File className="size-3.5 shrink-0" aria-hidden="true" />
            <span className="truncate">{path}</span>
          </button>
        </li>
      ))}
      {!all && unique.length > SHOWN && (
        <li>
          <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
            {t("files.all", { count: unique.length })}
          </Button>
        </li>
      )}
    </ul>
  );
}
