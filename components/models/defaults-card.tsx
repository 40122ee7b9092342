"use client";
import { type ReactNode, useId } from "react";
import { useT } from "@/components/ui/language";
import { type Option, Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import type { ModelRef, ModelsView, ModelView } from "@/lib/api/schemas";
import type { CatalogModel } from "@/lib/model/catalog";
import { sentThinking } from "@/lib/model/thinking";
import { refOf, samePair } from "./draft";
import type { Change, Models } from "./use-models";

const LEVELS = ["none", "low", "medium", "high", "xhigh", "max"] as const;
type Level = (typeof LEVELS)[number];

interface DefaultsCardProps {
  view: ModelsView;
  known?: CatalogModel;
  canWrite: boolean;
  onChange: Models["change"];
}

/** What Sessions use that choose nothing themselves. `known`: the default model, if the catalog has it. */
export function DefaultsCard({ view, known, canWrite, onChange }: DefaultsCardProps) {
  const t = useT();
  const save = async (change: Change) => {
    const result = await onChange(change);
    if (result.ok) toast.success(t("models.defaults_saved"));
    else toast.error(result.error.code === "network" ? t("network") : result.error.message);
  };
  const options = (models: ModelView[]): Option<string>[] =>
    models.map((model) => ({
      value: keyOf(model),
      label: model.display_name ?? model.model_id,
      detail: model.demo ? undefined : `${model.provider} · ${model.model_id}`,
    }));
  const find = (key: string): ModelRef | null => {
    const model = view.models.find((one) => keyOf(one) === key);
    return model ? refOf(model) : null;
  };
  const standard = view.models.find(({ is_default }) => is_default);
  const seeing = view.models.filter(({ vision, demo }) => vision !== false && !demo);
  const none: Option<string> = { value: "-", label: t("models.vision_none") };
  const agents: Option<Level | "-"> = { value: "-", label: t("models.thinking_agent") };
  return (
    <section aria-label={t("models.defaults")} className="rounded-lg border bg-surface">
      <div className="grid divide-y md:grid-cols-3 md:divide-x md:divide-y-0">
        <Setting label={t("models.default_model")} hint={t("models.default_model_hint")}>
          {(id) => (
            <Select
              id={id}
              value={standard ? keyOf(standard) : ""}
              options={options(view.models)}
              placeholder={t("models.choose")}
              disabled={!canWrite || view.models.length === 0}
              onChange={(key) => {
                const model = find(key);
                if (model) void save({ makeDefault: model });
              }}
            />
          )}
        </Setting>
        <Setting label={t("models.vision_model")} hint={t("models.vision_model_hint")}>
          {(id) => (
            <Select
              id={id}
              value={view.vision_model && seeing.some(isIt(view.vision_model)) ? keyOf(view.vision_model) : "-"}
              options={[none, ...options(seeing)]}
              disabled={!canWrite}
              onChange={(key) => void save({ visionModel: key === "-" ? null : find(key) })}
            />
          )}
        </Setting>
        <Setting label={t("models.thinking")} hint={<Sent view={view} model={standard} known={known} />}>
          {(id) => (
            <Select
              id={id}
              value={view.thinking_level ?? "-"}
              options={[agents, ...LEVELS.map((level) => ({ value: level, label: t(`thinking.${level}`) }))]}
              disabled={!canWrite}
              onChange={(level) => void save({ thinkingLevel: level === "-" ? null : level })}
            />
          )}
        </Setting>
      </div>
    </section>
  );
}

const keyOf = ({ provider, model_id }: ModelRef) => `${provider} ${model_id}`;
const isIt = (ref: ModelRef) => (model: ModelRef) => samePair(ref, model);

interface SettingProps {
  label: string;
  hint: ReactNode;
  children: (id: string) => ReactNode;
}
function Setting({ label, hint, children }: SettingProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5 px-4 py-3">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children(id)}
      <p className="text-xs text-dim">{hint}</p>
    </div>
  );
}

interface SentProps {
  view: ModelsView;
  model: ModelView | undefined;
  known?: CatalogModel;
}
/** The chosen level as the default model's protocol spells it, and what becomes of a level it does not know. */
function Sent({ view, model, known }: SentProps) {
  const t = useT();
  const level = view.thinking_level;
  if (!level || !model || model.demo) return <>{t("models.thinking_hint")}</>;
  const { sent, degraded_to } = sentThinking(model.client_type, model.model_id, level, { supported: known?.thinking });
  const name = model.display_name ?? model.model_id;
  return (
    <>
      {sent === "" ? t("models.thinking_nothing", { name }) : t("models.thinking_sent", { name })}{" "}
      {sent !== "" && <code className="font-mono wrap-anywhere">{sent}</code>}
      {degraded_to && (
        <span className="text-attention">
          {" "}
          {t("models.thinking_degraded", { level: t(`thinking.${degraded_to}`) })}
        </span>
      )}
    </>
  );
}
