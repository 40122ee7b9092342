"use client";
import { FileText, Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import { places } from "@/lib/api/places";
import type { AgentView } from "@/lib/api/schemas";
import { ImportEntryRow } from "./import-entry";
import { useImport } from "./use-import";

interface ImportDialogProps {
  project: string;
  agents: AgentView[];
  initialAgent: string;
  /** Already chosen by a drop. */
  initialFiles: File[];
  onClose: () => void;
}

/** Import of Trace files and bundles: choose, send with progress, and one report of what became of each. */
export function ImportDialog({ project, agents, initialAgent, initialFiles, onClose }: ImportDialogProps) {
  const t = useT();
  const router = useRouter();
  const [agent, setAgent] = useState(initialAgent);
  const imports = useImport(project);
  const { entries, busy } = imports;
  const given = useRef(false);
  useEffect(() => {
    if (!given.current && initialFiles.length > 0) imports.add(initialFiles, initialAgent);
    given.current = true;
  }, [imports.add, initialFiles, initialAgent]);

  const open = (session: string, under: string) =>
    router.push(places.trace({ project, agent: under, session, index: 1 }));
  const waiting = entries.filter(({ step }) => step === "waiting").length;
  const done = entries.filter(({ step }) => step === "done").length;
  const failed = entries.filter(({ step }) => step === "failed").length;
  const only = entries.length === 1 && entries[0]?.step === "done" ? entries[0] : null;

  const footer = busy ? (
    <Button onClick={imports.stop}>{t("import.stop")}</Button>
  ) : (
    <>
      <Button onClick={onClose}>{t(done > 0 ? "common.close" : "common.cancel")}</Button>
      {only ? (
        <Button variant="primary" onClick={() => open(only.session, only.agent)}>
          {t("import.open")}
        </Button>
      ) : (
        <Button variant="primary" disabled={waiting === 0} onClick={() => void imports.start()}>
          {t("import.submit")}
        </Button>
      )}
    </>
  );

  return (
    <Dialog
      open
      onOpenChange={(next) => {
        if (next) return;
        imports.stop();
        onClose();
      }}
      title={t("import.title")}
      description={t("import.lead")}
      footer={footer}
    >
      <div className="flex flex-col gap-4">
        <FilePicker some={entries.length > 0} disabled={busy} onFiles={(files) => imports.add(files, agent)} />
        {agents.length > 1 && (
          <Field label={t("import.agent")}>
            {(control) => (
              <Select
                id={control.id}
                value={agent}
                disabled={busy}
                onChange={(next) => {
                  setAgent(next);
                  imports.chooseAgent(next);
                }}
                options={agents.map(({ id, name }) => ({ value: id, label: name }))}
              />
            )}
          </Field>
        )}
        {entries.length > 0 && (
          <ul aria-label={t("import.files")} className="flex max-h-96 flex-col gap-2 overflow-y-auto">
            {entries.map((entry) => (
              <ImportEntryRow
                key={entry.id}
                entry={entry}
                busy={busy}
                onRemove={() => imports.remove(entry.id)}
                onAnyway={() => void imports.anyway(entry)}
                onOpen={(session) => open(session, entry.agent)}
              />
            ))}
          </ul>
        )}
        <p role="status" className="text-sm text-dim empty:hidden">
          {!busy && entries.length > 1 && done + failed > 0 && t("import.report", { done, failed, waiting })}
        </p>
      </div>
    </Dialog>
  );
}

interface FilePickerProps {
  some: boolean;
  disabled: boolean;
  onFiles: (files: File[]) => void;
}
function FilePicker({ some, disabled, onFiles }: FilePickerProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line-strong border-dashed px-4 py-3">
      <FileText className="size-5 shrink-0 text-faint" aria-hidden="true" />
      <p className="min-w-0 flex-1 text-sm text-dim">{t("import.drop")}</p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t("import.choose")}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <Button disabled={disabled} onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        {t(some ? "import.another" : "import.choose")}
      </Button>
    </div>
  );
}
