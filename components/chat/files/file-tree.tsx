"use client";
import { ChevronRight, File, FolderClosed, FolderOpen, Link2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import { Spinner } from "@/components/ui/spinner";
import type { FileEntry } from "@/lib/api/files";
import { byteSize } from "@/lib/format";
import { useFolder } from "./use-files";

interface TreeProps {
  selected: string | null;
  onOpen: (path: string) => void;
  /** The folder that uploads go to. */
  folder: string;
  onFolder: (path: string) => void;
}

/** The Workspace as a tree: folders are read when they are opened. */
export function FileTree(props: TreeProps) {
  const t = useT();
  return (
    <nav aria-label={t("files.tree")} className="min-h-0 flex-1 overflow-y-auto px-2 py-2">
      <Level path="" depth={0} {...props} />
    </nav>
  );
}

function Level({ path, depth, ...props }: TreeProps & { path: string; depth: number }) {
  const t = useT();
  const { data, error, refetch } = useFolder(path);
  const pad = { paddingLeft: `${depth * 0.875 + 0.5}rem` };
  if (error) {
    return (
      <p style={pad} className="py-1 text-xs text-danger">
        {error.message}{" "}
        <Button size="sm" variant="link" onClick={() => void refetch()}>
          {t("common.retry")}
        </Button>
      </p>
    );
  }
  if (!data) {
    return (
      <p style={pad} className="py-1 animate-late">
        <Spinner className="size-3.5" />
      </p>
    );
  }
  if (data.entries.length === 0) {
    return (
      <p style={pad} className="py-1 text-xs text-faint">
        {t(depth === 0 ? "files.empty" : "files.empty_folder")}
      </p>
    );
  }
  return (
    <ul>
      {data.entries.map((entry, i) => (
        <Entry
          // Two names that are no text can look the same.
          key={entry.no_text ? `${entry.name}/${i}` : entry.name}
          entry={entry}
          path={path === "" ? entry.name : `${path}/${entry.name}`}
          depth={depth}
          {...props}
        />
      ))}
      {data.more && (
        <li style={pad} className="py-1 text-xs text-faint">
          {t("files.more", { count: data.more })}
        </li>
      )}
    </ul>
  );
}

const ROW = "flex h-8 w-full items-center gap-2 rounded-md pr-2 text-left text-sm hover:bg-hover";

function Entry({ entry, path, depth, ...props }: TreeProps & { entry: FileEntry; path: string; depth: number }) {
  const t = useT();
  const { selected, onOpen, folder, onFolder } = props;
  const [open, setOpen] = useState(() => selected?.startsWith(`${path}/`) ?? false);
  const style = { paddingLeft: `${depth * 0.875 + 0.25}rem` };
  if (entry.no_text || (entry.type !== "folder" && entry.type !== "file")) {
    const Icon = entry.type === "link" ? Link2 : entry.type === "folder" ? FolderClosed : File;
    return (
      <li
        style={style}
        className={cn(ROW, "text-faint hover:bg-transparent")}
        title={t(entry.no_text ? "files.no_text" : "files.link")}
      >
        <span className="w-3.5 shrink-0" />
        <Icon className="size-4 shrink-0" aria-hidden="true" />
        <span className="min-w-0 truncate">{entry.name}</span>
      </li>
    );
  }
  if (entry.type === "folder") {
    const Icon = open ? FolderOpen : FolderClosed;
    return (
      <li>
        <button
          type="button"
          aria-expanded={open}
          style={style}
          onClick={() => {
            setOpen(!open);
            onFolder(open ? folder : path);
          }}
          className={cn(ROW, folder === path && "font-medium")}
        >
          <ChevronRight className={cn("size-3.5 shrink-0 text-faint", open && "rotate-90")} aria-hidden="true" />
          <Icon className="size-4 shrink-0 text-dim" aria-hidden="true" />
          <span className="min-w-0 truncate">{entry.name}</span>
        </button>
        {open && <Level path={path} depth={depth + 1} {...props} />}
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        style={style}
        aria-current={selected === path || undefined}
        onClick={() => onOpen(path)}
        className={cn(ROW, selected === path && "bg-accent-soft")}
      >
        <span className="w-3.5 shrink-0" />
        <File className="size-4 shrink-0 text-dim" aria-hidden="true" />
        <span className="min-w-0 flex-1 truncate">{entry.name}</span>
        <span className="tabular shrink-0 text-xs text-faint">{byteSize(entry.bytes)}</span>
      </button>
    </li>
  );
}
