"use client";
import { Bot } from "lucide-react";
import { usePathname } from "next/navigation";
import { useT } from "@/components/ui/language";
import { places } from "@/lib/api/places";
import type { AgentView } from "@/lib/api/schemas";
import { RailLink } from "./rail-link";

interface AgentListProps {
  project: string;
  agents: AgentView[];
}

/** The Agents of the Project; each leads to a new conversation with it. */
export function AgentList({ project, agents }: AgentListProps) {
  const t = useT();
  const pathname = usePathname();
  if (agents.length === 0) return null;
  return (
    <section aria-labelledby="rail-agents">
      <h2 id="rail-agents" className="px-2 pt-4 pb-1 text-xs font-medium text-faint">
        {t("nav.agents")}
      </h2>
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
    </section>
  );
}
