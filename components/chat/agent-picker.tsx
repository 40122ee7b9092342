"use client";
import { useQuery } from "@tanstack/react-query";
import { useT } from "@/components/ui/language";
import { PickList } from "@/components/ui/pick-list";
import { queries } from "@/lib/api/queries";

interface AgentPickerProps {
  project: string;
  current: string;
  onPick: (agent: { id: string; name: string }) => void;
  onCancel: () => void;
}

/** The Agents of the Project, with a search. */
export function AgentPicker({ project, current, onPick, onCancel }: AgentPickerProps) {
  const t = useT();
  const { data: agents = [], isPending } = useQuery(queries.agents(project));
  return (
    <PickList
      label={t("slash.agent_choose")}
      placeholder={t("slash.search_agent")}
      picks={agents.map(({ id, name, description }) => ({
        value: id,
        label: name,
        words: id,
        detail: description,
        current: id === current,
      }))}
      onPick={(value) => {
        const agent = agents.find(({ id }) => id === value);
        if (agent) onPick({ id: agent.id, name: agent.name });
      }}
      onCancel={onCancel}
      empty={isPending ? t("common.loading") : t("slash.no_agent")}
    />
  );
}
