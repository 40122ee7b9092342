"use client";
import { ExternalLink } from "lucide-react";
import { useT } from "@/components/ui/language";
import { money, shortCount } from "@/lib/format";
import type { WordKey } from "@/lib/i18n/areas";
import type { CatalogModel } from "@/lib/model/catalog";
import type { DraftField } from "./draft";
import { type FormProps, TextField, Toggle } from "./text-field";

interface ModelDetailsProps extends FormProps {
  /** What the catalog knows: shown where a field is empty, and taken then. */
  known?: CatalogModel;
}

/** Window, largest output, name, prices, sight. */
export function ModelDetails({ known, ...form }: ModelDetailsProps) {
  const t = useT();
  const { draft, onChange } = form;
  const price = (name: DraftField, label: WordKey, value: number | undefined, example: string) => (
    <TextField {...form} name={name} label={label} placeholder={value === undefined ? example : String(value)} small />
  );
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form}
          name="context_window"
          label="models.context_window"
          placeholder={known?.context_window ? shortCount(known.context_window) : "128k"}
          hint={t("models.context_window_hint")}
          optional
        />
        <TextField
          {...form}
          name="max_tokens"
          label="models.max_tokens"
          placeholder="32k"
          hint={
            known?.max_tokens
              ? t("models.max_tokens_known", { count: shortCount(known.max_tokens) })
              : t("models.max_tokens_hint")
          }
          optional
        />
      </div>
      <TextField {...form} name="display_name" label="models.display_name" optional />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 text-sm font-medium">
          {t("models.prices")} <span className="text-xs font-normal text-faint">{t("common.optional")}</span>
        </legend>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {price("price_input", "models.price_input", known?.price?.cache_write, "1.25")}
          {price("price_cached", "models.price_cached", known?.price?.cache_read, "0.125")}
          {price("price_creation", "models.price_creation", known?.price?.cache_creation, "—")}
          {price("price_output", "models.price_output", known?.price?.output, "10")}
        </div>
        {known ? <CatalogNote known={known} /> : <p className="text-xs text-dim">{t("models.prices_hint")}</p>}
      </fieldset>
      <Toggle checked={draft.vision} onChange={(vision) => onChange({ vision })}>
        {t("models.vision_field")}
      </Toggle>
    </>
  );
}

/** Where the catalog's values come from, and where a flat price is not the whole truth. */
function CatalogNote({ known }: { known: CatalogModel }) {
  const t = useT();
  const { price, price_note: note } = known;
  return (
    <p className="text-xs text-dim">
      {price
        ? t("models.catalog_price", { input: money(price.cache_write), output: money(price.output) })
        : t("models.catalog_no_price")}{" "}
      {note?.kind === "long_prompt" &&
        t("models.note_long_prompt", { over: shortCount(note.over), factor: note.factor })}
      {note?.kind === "until" && t("models.note_until", { date: note.date, factor: note.factor })}
      {note?.kind === "peak" && t("models.note_peak", { factor: note.factor })}{" "}
      <a
        href={known.source}
        target="_blank"
        rel="noreferrer"
        className="inline-flex items-center gap-1 text-accent-ink underline-offset-2 hover:underline"
      >
        {t("models.catalog_source", { date: known.checked })}
        <ExternalLink className="size-3" aria-hidden="true" />
      </a>
    </p>
  );
}
