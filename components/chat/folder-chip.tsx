"use client";
import { ChevronDown, FolderClock, FolderClosed } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { behind } from "@/components/ui/behind";
import { useT } from "@/components/ui/language";
import { Popover } from "@/components/ui/popover";
import { Segmented } from "@/components/ui/segmented";

const FolderPicker = dynamic(
  behind(() => import("./folder-picker").then((module) => module.FolderPicker)),
  { ssr: false },
);

interface FolderChipProps {
  project: string;
  agent: string;
  /** Absolute path on the server; absent: a temporary Workspace. */
  value: string | undefined;
  onChange: (workspace: string | undefined) => void;
}

/** Where a conversation works: a fresh folder, or one that exists on the server. */
export function FolderChip({ project, agent, value, onChange }: FolderChipProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [kind, setKind] = useState<"temporary" | "folder">("temporary");
  return (
    <Popover
      label={t("start.workspace")}
      open={open}
      className="w-96"
      onOpenChange={(next) => {
        setOpen(next);
        setKind(value ? "folder" : "temporary");
      }}
      trigger={
        <button
          type="button"
          aria-label={`${t("start.workspace")}: ${value ?? t("start.workspace_temporary")}`}
          title={value}
          className="inline-flex h-7 min-w-0 max-w-full items-center gap-1.5 rounded-full border border-line bg-surface px-2.5 text-xs text-dim transition-colors duration-120 hover:border-line-strong hover:text-ink data-[state=open]:border-line-strong data-[state=open]:text-ink"
        >
          {value ? <FolderClosed className="size-3.5 shrink-0" /> : <FolderClock className="size-3.5 shrink-0" />}
          <span className="min-w-0 truncate">{value ? lastPart(value) : t("start.workspace_temporary")}</span>
          <ChevronDown className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
        </button>
      }
    >
      <Segmented
        label={t("start.workspace")}
        value={kind}
        onChange={(next) => {
          setKind(next);
          if (next === "temporary") onChange(undefined);
        }}
        className="mb-3 flex w-full *:flex-1"
        options={[
          { value: "temporary", label: t("start.workspace_temporary") },
          { value: "folder", label: t("start.workspace_path") },
        ]}
      />
      {kind === "temporary" ? (
        <p className="text-xs text-dim">{t("start.workspace_temporary_hint")}</p>
      ) : (
        <FolderPicker
          project={project}
          agent={agent}
          initial={value}
          onPick={(path) => {
            onChange(path);
            setOpen(false);
          }}
        />
      )}
    </Popover>
  );
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
