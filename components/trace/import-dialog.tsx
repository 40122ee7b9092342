"use client";
import { FileText, Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import { places } from "@/lib/api/places";
import type { AgentView } from "@/lib/api/schemas";
import { byteSize } from "@/lib/format";
import { ImportFailure } from "./import-failure";
import { useImport } from "./use-import";

interface ImportDialogProps {
  project: string;
  agents: AgentView[];
  initialAgent: string;
  /** Already chosen by a drop. */
  initialFile: File | null;
  onClose: () => void;
}

/** Import of one Trace file: choose, send with progress, and the outcome in plain words. */
export function ImportDialog({ project, agents, initialAgent, initialFile, onClose }: ImportDialogProps) {
  const t = useT();
  const router = useRouter();
  const [agent, setAgent] = useState(initialAgent);
  const [file, setFile] = useState(initialFile);
  const { state, start, stop, reset } = useImport(project);
  const open = (session: string) => router.push(places.trace({ project, agent, session, index: 1 }));
  const sending = state.step === "sending";
  // The same file would be refused again; after a failure of the network or the server it may go through.
  const refused = state.step === "failed" && state.failure.status >= 400 && state.failure.status < 500;

  const choose = (next: File | null) => {
    setFile(next);
    reset();
  };

  const footer =
    state.step === "done" ? (
      <>
        <Button onClick={onClose}>{t("common.close")}</Button>
        <Button variant="primary" onClick={() => open(state.result.session_id)}>
          {t("import.open")}
        </Button>
      </>
    ) : sending ? (
      <Button onClick={stop}>{t("import.stop")}</Button>
    ) : (
      <>
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button variant="primary" disabled={!file || refused} onClick={() => file && void start(agent, file, false)}>
          {t("import.submit")}
        </Button>
      </>
    );

  return (
    <Dialog
      open
      onOpenChange={(next) => {
        if (next) return;
        stop();
        onClose();
      }}
      title={t("import.title")}
      description={t("import.lead")}
      footer={footer}
    >
      <div className="flex flex-col gap-4">
        {state.step !== "done" && (
          <>
            <FilePicker file={file} disabled={sending} onFile={choose} />
            {agents.length > 1 && (
              <Field label={t("import.agent")}>
                {(control) => (
                  <Select
                    id={control.id}
                    value={agent}
                    disabled={sending}
                    onChange={(next) => {
                      setAgent(next);
                      reset();
                    }}
                    options={agents.map(({ id, name }) => ({ value: id, label: name }))}
                  />
                )}
              </Field>
            )}
          </>
        )}
        <div aria-live="polite" className="empty:-mt-4">
          {sending && <Progress sent={state.sent} total={state.total} />}
          {state.step === "done" && (
            <Banner tone="good">
              {t("import.done")}{" "}
              {state.result.damaged.length > 0 && t("import.done_damaged", { count: state.result.damaged.length })}
            </Banner>
          )}
        </div>
        {state.step === "failed" && (
          <ImportFailure failure={state.failure} onAnyway={() => file && void start(agent, file, true)} onOpen={open} />
        )}
      </div>
    </Dialog>
  );
}

interface FilePickerProps {
  file: File | null;
  disabled: boolean;
  onFile: (file: File | null) => void;
}
function FilePicker({ file, disabled, onFile }: FilePickerProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex items-center gap-3 rounded-lg border border-line-strong border-dashed px-4 py-3">
      <FileText className="size-5 shrink-0 text-faint" aria-hidden="true" />
      <div className="min-w-0 flex-1 text-sm">
        {file ? (
          <>
            <p className="truncate font-medium">{file.name}</p>
            <p className="text-xs text-dim">{byteSize(file.size)}</p>
          </>
        ) : (
          <p className="text-dim">{t("import.drop")}</p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t("import.choose")}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen) onFile(chosen);
          event.target.value = "";
        }}
      />
      <Button disabled={disabled} onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        {t(file ? "import.another" : "import.choose")}
      </Button>
    </div>
  );
}

function Progress({ sent, total }: { sent: number; total: number }) {
  const t = useT();
  const all = total > 0 && sent >= total;
  const words = all ? t("import.checking") : t("import.sending", { sent: byteSize(sent), total: byteSize(total) });
  return (
    <div>
      <progress value={sent} max={Math.max(total, 1)} aria-label={t("import.title")} className="sr-only" />
      <div className="h-1.5 overflow-hidden rounded-full bg-press" aria-hidden="true">
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-120"
          style={{ width: `${total > 0 ? (sent / total) * 100 : 0}%` }}
        />
      </div>
      <p className="tabular mt-1.5 text-xs text-dim">{words}</p>
    </div>
  );
}
