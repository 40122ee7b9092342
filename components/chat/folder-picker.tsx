"use client";
import { useQuery } from "@tanstack/react-query";
import { CornerLeftUp, Folder, History } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { Spinner } from "@/components/ui/spinner";
import { failureFrom } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import type { FoldersView } from "@/lib/api/schemas";

interface FolderPickerProps {
  project: string;
  agent: string;
  /** Where to begin. */
  initial?: string;
  onPick: (path: string) => void;
}

/** Walks through the folders of the server that may be used, one level at a time; a path can be typed too. */
export function FolderPicker({ project, agent, initial, onPick }: FolderPickerProps) {
  const t = useT();
  const [at, setAt] = useState(initial ?? "");
  const [typed, setTyped] = useState<string | null>(null);
  const { data, isPending, error } = useQuery({
    ...queries.folders(project, agent, at),
    staleTime: 5_000,
    retry: false,
  });
  const go = (path: string) => {
    setAt(path);
    setTyped(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (typed !== null && typed.trim() !== "") go(typed.trim());
    else if (data?.path) onPick(data.path);
  };
  const edited = typed !== null && typed.trim() !== (data?.path ?? "");
  return (
    <form onSubmit={submit} className="flex flex-col gap-3" noValidate>
      <Field label={t("folders.path")} error={error ? failureWords(error, t("network")) : undefined}>
        {(control) => (
          <Input
            {...control}
            value={typed ?? data?.path ?? at}
            placeholder="/home/me/project"
            className="font-mono text-sm"
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <section
        aria-label={t("folders.label")}
        aria-busy={isPending}
        className="h-52 overflow-y-auto rounded-md border bg-sunken p-1"
      >
        {isPending && (
          <p className="flex items-center gap-2 p-2 text-sm text-dim animate-late">
            <Spinner /> {t("common.loading")}
          </p>
        )}
        {data && <Level view={data} onGo={go} />}
        {error && (
          <Entry icon={<CornerLeftUp />} onClick={() => go("")}>
            {t("folders.start")}
          </Entry>
        )}
      </section>
      <Button type="submit" variant="primary" disabled={!edited && !data?.path}>
        {t(edited ? "folders.open" : "start.workspace_use")}
      </Button>
    </form>
  );
}

const failureWords = (error: Error, network: string): string => {
  const { code, message } = failureFrom(error);
  return code === "network" ? network : message;
};

function Level({ view, onGo }: { view: FoldersView; onGo: (path: string) => void }) {
  const t = useT();
  const { path, parent, folders, recent, roots, truncated } = view;
  const atStart = path === null || roots.includes(path);
  const up = parent ?? (path !== null && roots.length > 1 ? "" : null);
  return (
    <ul>
      {up !== null && !(up === "" && roots.length === 1) && (
        <li>
          <Entry icon={<CornerLeftUp />} onClick={() => onGo(up)}>
            {t("folders.up")}
          </Entry>
        </li>
      )}
      {atStart &&
        recent
          .filter((folder) => folder !== path)
          .map((folder) => (
            <li key={`recent ${folder}`}>
              <Entry icon={<History />} onClick={() => onGo(folder)} title={folder}>
                {folder}
              </Entry>
            </li>
          ))}
      {folders.map((folder) => (
        <li key={folder.path + folder.name}>
          <Entry icon={<Folder />} onClick={() => onGo(folder.path)} title={folder.path}>
            {folder.name}
          </Entry>
        </li>
      ))}
      {folders.length === 0 && (
        <li className="px-2 py-1.5 text-sm text-dim">{t(path === null ? "folders.no_root" : "folders.empty")}</li>
      )}
      {truncated && <li className="px-2 py-1.5 text-xs text-dim">{t("folders.more")}</li>}
    </ul>
  );
}

interface EntryProps {
  icon: ReactNode;
  title?: string;
  onClick: () => void;
  children: ReactNode;
}
function Entry({ icon, title, onClick, children }: EntryProps) {
  return (
    <button
      type="button"
      title={title}
      onClick={onClick}
      className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm text-ink hover:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-faint"
    >
      {icon}
      <span className="min-w-0 truncate">{children}</span>
    </button>
  );
}
