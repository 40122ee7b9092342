"use client";
import { useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { ScrollPre } from "@/components/ui/scroll-pre";
import type { Transcript } from "@/lib/trace/transcript-items";
import { Fold } from "./items/row";

interface ConfirmImportProps {
  transcript: Transcript;
  onConfirm: () => void;
}

/** An imported file is not trusted: before it goes on, a person sees where it works and what it was told. */
export function ConfirmImport({ transcript: { meta }, onConfirm }: ConfirmImportProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const prompt: unknown = meta?.system_prompt;
  return (
    <Banner
      tone="attention"
      className="mb-2"
      action={
        <Button size="sm" onClick={onConfirm}>
          {t("chat.import_confirm")}
        </Button>
      }
    >
      <p>{t("chat.import_question")}</p>
      <p className="font-mono text-xs text-dim">{meta?.workspace ?? "–"}</p>
      <Fold title={t("chat.system_prompt")} open={open} onToggle={setOpen}>
        <ScrollPre label={t("chat.system_prompt")} className="max-h-60 rounded-md border bg-page">
          {typeof prompt === "string" ? prompt : JSON.stringify(prompt)}
        </ScrollPre>
      </Fold>
    </Banner>
  );
}
