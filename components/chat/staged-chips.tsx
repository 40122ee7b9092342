"use client";
import { ArrowLeftRight, Goal, Repeat2, Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import { Chip } from "@/components/ui/chip";
import { useT } from "@/components/ui/language";
import { shortCount } from "@/lib/format";
import { type Staged, unstage } from "./staged";

interface StagedChipsProps {
  staged: Staged;
  onChange: (staged: Staged) => void;
  /** Why it cannot be sent now. */
  waits?: ReactNode;
}

/** What Send will do beside sending the text; each can be taken back. */
export function StagedChips({ staged, onChange, waits }: StagedChipsProps) {
  const t = useT();
  const { model, agent, goal, skills = [] } = staged;
  if (!model && !agent && !goal && skills.length === 0) return null;
  const remove = (label: string) => t("staged.remove", { label });
  const goalLabel = goal?.budget ? t("staged.goal_budget", { budget: shortCount(goal.budget) }) : t("staged.goal");
  return (
    <div className="px-2.5 pt-2.5">
      <div className="flex flex-wrap gap-1.5">
        {model && (
          <Chip
            icon={<ArrowLeftRight aria-hidden="true" />}
            onRemove={() => onChange(unstage(staged, "model"))}
            removeLabel={remove(model.label)}
          >
            {t("staged.model", { model: model.label })}
          </Chip>
        )}
        {agent && (
          <Chip
            icon={<Repeat2 aria-hidden="true" />}
            onRemove={() => onChange(unstage(staged, "agent"))}
            removeLabel={remove(agent.name)}
          >
            {t("staged.agent", { agent: agent.name })}
          </Chip>
        )}
        {goal && (
          <Chip
            icon={<Goal aria-hidden="true" />}
            onRemove={() => onChange(unstage(staged, "goal"))}
            removeLabel={remove(t("staged.goal"))}
          >
            {goalLabel}
          </Chip>
        )}
        {skills.map((name) => (
          <Chip
            key={name}
            icon={<Sparkles aria-hidden="true" />}
            onRemove={() => onChange(unstage(staged, "skills", name))}
            removeLabel={remove(name)}
          >
            {name}
          </Chip>
        ))}
      </div>
      <p className="mt-1.5 px-1 text-xs text-dim">
        {waits ??
          t(model ? "staged.model_hint" : agent ? "staged.agent_hint" : goal ? "staged.goal_hint" : "staged.hint")}
      </p>
    </div>
  );
}
