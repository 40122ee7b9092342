"use client";
import { Bot, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { behind } from "@/components/ui/behind";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { places } from "@/lib/api/places";
import type { AgentView } from "@/lib/api/schemas";
import { RailLink } from "./rail-link";
import { useRole } from "./use-role";

const CreateAgent = dynamic(
  behind(() => import("./create-agent").then((module) => module.CreateAgent)),
  { ssr: false },
);

interface AgentListProps {
  project: string;
  agents: AgentView[];
}

/** The Agents of the Project; each leads to a new conversation with it. */
export function AgentList({ project, agents }: AgentListProps) {
  const t = useT();
  const pathname = usePathname();
  const [creating, setCreating] = useState(false);
  const role = useRole(project) ?? "viewer";
  if (agents.length === 0) return null;
  return (
    <section aria-labelledby="rail-agents">
      <div className="flex min-h-8 items-end justify-between pt-3 pr-1">
        <h2 id="rail-agents" className="px-2 pb-1 text-xs font-medium text-faint">
          {t("nav.agents")}
        </h2>
        {role !== "viewer" && (
          <IconButton label={t("nav.new_agent")} size="sm" onClick={() => setCreating(true)}>
            <Plus />
          </IconButton>
        )}
      </div>
      <ul>
        {agents.map((agent) => {
          const href = places.newConversation(project, agent.id);
          return (
            <li key={agent.id}>
              <RailLink href={href} here={pathname === href} icon={<Bot />}>
                {agent.name}
              </RailLink>
            </li>
          );
        })}
      </ul>
      {creating && <CreateAgent project={project} onClose={() => setCreating(false)} />}
    </section>
  );
}
