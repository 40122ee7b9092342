"use client";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, FoldVertical, GitFork, Goal, Repeat2, Sparkles } from "lucide-react";
import dynamic from "next/dynamic";
import { useMemo } from "react";
import { behind } from "@/components/ui/behind";
import { type T, useT } from "@/components/ui/language";
import { queries } from "@/lib/api/queries";
import type { ModelRef, SkillView } from "@/lib/api/schemas";
import type { SlashCommand } from "./commands";

// Loaded when one is opened: the first view of a conversation needs none.
const AgentPicker = dynamic(
  behind(() => import("./agent-picker").then((module) => module.AgentPicker)),
  { ssr: false },
);
const GoalForm = dynamic(
  behind(() => import("./goal-form").then((module) => module.GoalForm)),
  { ssr: false },
);
const ModelPicker = dynamic(
  behind(() => import("./model-picker").then((module) => module.ModelPicker)),
  { ssr: false },
);

interface Place {
  project: string;
  agent: string;
  /** The model in use. */
  model?: ModelRef;
  /** A draft without a Session: model and Agent are chosen at once, not staged. */
  onModel?: (model: ModelRef) => void;
  onAgent?: (agent: string) => void;
  /** Of an open conversation. */
  compact?: { run: () => void; off?: string };
  fork?: { run: () => void; off?: string };
}

/** The commands of the slash menu here; the Agent's skills come last. */
export function useCommands(place: Place): readonly SlashCommand[] {
  const t = useT();
  const { project, agent } = place;
  const { data: skills } = useQuery({ ...queries.skills(project, agent), staleTime: 60_000 });
  const { model, onModel, onAgent, compact, fork } = place;
  return useMemo(
    () => [
      modelCommand(t, { project, model, onModel }),
      agentCommand(t, { project, agent, onAgent }),
      ...(compact ? [runCommand(t, "compact", compact)] : []),
      goalCommand(t),
      ...(fork ? [runCommand(t, "fork", fork)] : []),
      ...(skills ?? []).map((skill) => skillCommand(t, skill)),
    ],
    [t, project, agent, model, onModel, onAgent, compact, fork, skills],
  );
}

function modelCommand(t: T, { project, model, onModel }: Pick<Place, "project" | "model" | "onModel">): SlashCommand {
  return {
    name: "model",
    title: t("slash.model"),
    detail: t("slash.model_detail"),
    icon: <ArrowLeftRight aria-hidden="true" />,
    act: {
      kind: "panel",
      label: t("slash.model_choose"),
      render: (done) => (
        <ModelPicker
          project={project}
          current={model}
          onCancel={() => done()}
          onPick={(picked) => {
            if (!onModel) return done({ model: picked });
            onModel({ provider: picked.provider, model_id: picked.model_id });
            done();
          }}
        />
      ),
    },
  };
}

function agentCommand(t: T, { project, agent, onAgent }: Pick<Place, "project" | "agent" | "onAgent">): SlashCommand {
  return {
    name: "agent",
    title: t("slash.agent"),
    detail: t("slash.agent_detail"),
    icon: <Repeat2 aria-hidden="true" />,
    act: {
      kind: "panel",
      label: t("slash.agent_choose"),
      render: (done) => (
        <AgentPicker
          project={project}
          current={agent}
          onCancel={() => done()}
          onPick={(picked) => {
            if (!onAgent) return done({ agent: picked });
            onAgent(picked.id);
            done();
          }}
        />
      ),
    },
  };
}

function goalCommand(t: T): SlashCommand {
  return {
    name: "goal",
    title: t("slash.goal"),
    detail: t("slash.goal_detail"),
    icon: <Goal aria-hidden="true" />,
    act: {
      kind: "panel",
      label: t("slash.goal"),
      render: (done) => <GoalForm onDone={(goal) => done({ goal })} />,
    },
  };
}

function runCommand(t: T, name: "compact" | "fork", { run, off }: NonNullable<Place["compact"]>): SlashCommand {
  return {
    name,
    title: t(`slash.${name}`),
    detail: t(`slash.${name}_detail`),
    icon: name === "compact" ? <FoldVertical aria-hidden="true" /> : <GitFork aria-hidden="true" />,
    ...(off ? { off } : {}),
    act: { kind: "run", run },
  };
}

function skillCommand(t: T, { name, description }: SkillView): SlashCommand {
  return {
    name,
    title: name,
    detail: description || t("slash.skill_detail"),
    icon: <Sparkles aria-hidden="true" />,
    act: { kind: "stage", staged: { skills: [name] } },
  };
}
