"use client";
import { useQuery } from "@tanstack/react-query";
import { Bot, Boxes, Brain, ShieldCheck } from "lucide-react";
import { FolderChip } from "@/components/chat/folder-chip";
import { useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import { queries } from "@/lib/api/queries";
import type { AgentView, ModelsView } from "@/lib/api/schemas";
import type { ApprovalMode, ThinkingLevel } from "@/lib/omni/message";
import { chosenModel, type Settings } from "./settings";

// Spelt here because the schemas' values would bring the validation library into the browser.
const MODES = ["read-only", "always-ask", "allow-all", "deny-all"] as const satisfies ApprovalMode[];
const LEVELS = ["none", "low", "medium", "high", "xhigh", "max"] as const satisfies ThinkingLevel[];

interface OptionsProps {
  project: string;
  agents: AgentView[];
  agent: string;
  onAgent: (agent: string) => void;
  models: ModelsView | undefined;
  settings: Settings;
  onChange: (settings: Settings) => void;
}

/** The chips under the first message: with whom, with which model, where, and how freely. */
export function Options({ project, agents, agent, onAgent, models, settings, onChange }: OptionsProps) {
  const t = useT();
  const { data: defaults } = useQuery({ ...queries.project(project), select: (view) => view.defaults });
  const model = models && chosenModel(models, settings);
  const modelKey = (m: { provider: string; model_id: string }) => JSON.stringify([m.provider, m.model_id]);
  return (
    <>
      {agents.length > 1 && (
        <Select
          look="chip"
          label={t("start.agent")}
          icon={<Bot />}
          value={agent}
          onChange={onAgent}
          options={agents.map(({ id, name, description }) => ({ value: id, label: name, detail: description }))}
        />
      )}
      {models && models.models.length > 0 && (
        <Select
          look="chip"
          label={t("start.model")}
          icon={<Boxes />}
          value={model ? modelKey(model) : ""}
          placeholder={t("start.no_model")}
          onChange={(key) => {
            const next = models.models.find((candidate) => modelKey(candidate) === key);
            if (next) onChange({ ...settings, model: { provider: next.provider, model_id: next.model_id } });
          }}
          options={models.models.map((candidate) => ({
            value: modelKey(candidate),
            label: candidate.display_name ?? candidate.model_id,
            detail: candidate.provider,
          }))}
        />
      )}
      <FolderChip
        project={project}
        agent={agent}
        value={settings.workspace}
        onChange={(workspace) => {
          const { workspace: _, ...rest } = settings;
          onChange(workspace === undefined ? rest : { ...rest, workspace });
        }}
      />
      <Select
        look="chip"
        label={t("start.approval")}
        icon={<ShieldCheck />}
        value={settings.approval_mode ?? defaults?.approval_mode ?? "read-only"}
        onChange={(approval_mode) => onChange({ ...settings, approval_mode })}
        options={MODES.map((mode) => ({
          value: mode,
          label: t(`approval_mode.${mode}`),
          detail: t(`approval_mode.${mode}.detail`),
        }))}
      />
      <Select
        look="chip"
        label={t("start.thinking")}
        icon={<Brain />}
        value={settings.thinking_level ?? "default"}
        onChange={(level) => {
          const { thinking_level: _, ...rest } = settings;
          onChange(level === "default" ? rest : { ...rest, thinking_level: level });
        }}
        options={[
          { value: "default" as const, label: t("start.thinking_default") },
          ...LEVELS.map((level) => ({ value: level, label: `${t("start.thinking")}: ${t(`thinking.${level}`)}` })),
        ]}
      />
    </>
  );
}
