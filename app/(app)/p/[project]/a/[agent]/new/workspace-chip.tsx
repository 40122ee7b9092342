"use client";
import { ChevronDown, FolderClock, FolderClosed } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { Popover } from "@/components/ui/popover";
import { Segmented } from "@/components/ui/segmented";

interface WorkspaceChipProps {
  /** Absolute path on the server; absent: a temporary Workspace. */
  value: string | undefined;
  onChange: (choice: { workspace: string | undefined }) => void;
}

/** Where the conversation works: a fresh folder, or one that exists on the server. */
export function WorkspaceChip({ value, onChange }: WorkspaceChipProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [kind, setKind] = useState<"temporary" | "folder">(value ? "folder" : "temporary");
  const [error, setError] = useState<string>();

  const close = (workspace: string | undefined) => {
    onChange({ workspace });
    setOpen(false);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    const path = String(new FormData(event.currentTarget).get("workspace") ?? "").trim();
    if (!/^(\/|[A-Za-z]:[\\/])/.test(path)) return setError(t("start.workspace_relative"));
    setError(undefined);
    close(path);
  };

  return (
    <Popover
      label={t("start.workspace")}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setKind(value ? "folder" : "temporary");
        setError(undefined);
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
          if (next === "temporary") onChange({ workspace: undefined });
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
        <form onSubmit={submit} className="flex flex-col gap-3" noValidate>
          <Field label={t("start.workspace_path")} hint={t("start.workspace_path_hint")} error={error}>
            {(control) => (
              <Input
                {...control}
                name="workspace"
                defaultValue={value}
                placeholder="/home/me/project"
                className="font-mono text-sm"
                spellCheck={false}
                autoCapitalize="none"
                autoFocus
              />
            )}
          </Field>
          <Button type="submit" variant="primary">
            {t("start.workspace_use")}
          </Button>
        </form>
      )}
    </Popover>
  );
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
