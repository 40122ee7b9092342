"use client";
import { useQuery } from "@tanstack/react-query";
import { Search, SlidersHorizontal, X } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import { queries } from "@/lib/api/queries";
import type { AgentView } from "@/lib/api/schemas";
import { SEARCH_STATUSES } from "@/lib/api/trace-search";
import { type Asked, FILTERS, isAsked, NOTHING_ASKED } from "./asked";

interface SearchFormProps {
  project: string;
  agents: readonly AgentView[];
  asked: Asked;
  onAsk: (asked: Asked) => void;
}

/** A text, and what narrows it down. */
export function SearchForm({ project, agents, asked, onAsk }: SearchFormProps) {
  const t = useT();
  const panel = useId();
  const set = FILTERS.filter((key) => asked[key] !== "").length;
  const [open, setOpen] = useState(set > 0);
  return (
    <search className="mb-4 flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <div className="relative min-w-0 flex-1">
          <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint" aria-hidden="true" />
          <Input
            type="search"
            aria-label={t("tsearch.label")}
            placeholder={t("tsearch.label")}
            title={t("tsearch.hint")}
            maxLength={200}
            value={asked.q}
            onChange={(event) => onAsk({ ...asked, q: event.target.value })}
            className="pl-9"
          />
        </div>
        <Button aria-expanded={open} aria-controls={panel} onClick={() => setOpen(!open)} className="h-9">
          <SlidersHorizontal aria-hidden="true" />
          <span className="max-sm:sr-only">
            {set > 0 ? t("tsearch.filters_on", { count: set }) : t("tsearch.filters")}
          </span>
          {set > 0 && <span className="sm:hidden">{set}</span>}
        </Button>
        {isAsked(asked) && (
          <Button variant="ghost" className="h-9" onClick={() => onAsk(NOTHING_ASKED)}>
            <X aria-hidden="true" />
            <span className="max-sm:sr-only">{t("tsearch.clear")}</span>
          </Button>
        )}
      </div>
      {open && <Filters id={panel} {...{ project, agents, asked, onAsk }} />}
    </search>
  );
}

function Filters({ id, project, agents, asked, onAsk }: SearchFormProps & { id: string }) {
  const t = useT();
  const models = useQuery(queries.models(project));
  const any = { value: "any", label: t("tsearch.any") };
  const choose = (key: keyof Asked) => (value: string) => onAsk({ ...asked, [key]: value === "any" ? "" : value });
  const modelIds = new Set((models.data?.models ?? []).map(({ provider, model_id }) => `${provider}/${model_id}`));
  if (asked.model !== "") modelIds.add(asked.model);
  const text = (key: "tool" | "person" | "min_cost" | "from" | "to", type = "text", hint = "") => (
    <Field label={t(key === "min_cost" ? "tsearch.cost" : `tsearch.${key}`)}>
      {(control) => (
        <Input
          {...control}
          type={type}
          min={type === "number" ? 0 : undefined}
          step={type === "number" ? "any" : undefined}
          placeholder={hint}
          value={asked[key]}
          maxLength={120}
          onChange={(event) => onAsk({ ...asked, [key]: event.target.value })}
        />
      )}
    </Field>
  );
  const choice = (key: "status" | "model" | "agent", options: { value: string; label: string }[]) => (
    <Field label={t(`tsearch.${key}`)}>
      {(control) => (
        <Select id={control.id} value={asked[key] || "any"} onChange={choose(key)} options={[any, ...options]} />
      )}
    </Field>
  );
  return (
    <div id={id} className="grid grid-cols-2 gap-3 rounded-lg border bg-rail p-3 sm:grid-cols-4">
      {text("tool", "text", t("tsearch.tool_hint"))}
      {choice(
        "status",
        SEARCH_STATUSES.map((value) => ({ value, label: value })),
      )}
      {choice(
        "model",
        [...modelIds].map((value) => ({ value, label: value })),
      )}
      {text("person", "text", t("tsearch.person_hint"))}
      {choice(
        "agent",
        agents.map(({ id: value, name }) => ({ value, label: name })),
      )}
      {text("min_cost", "number")}
      {text("from", "date")}
      {text("to", "date")}
    </div>
  );
}
