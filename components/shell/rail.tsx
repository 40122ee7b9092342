"use client";
import { Boxes, ChartNoAxesColumn, Hand, PanelLeftClose, ScrollText, Settings, SquarePen, Users } from "lucide-react";
import { useParams, usePathname } from "next/navigation";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import { AgentList } from "./agent-list";
import { ConversationList } from "./conversation-list";
import { ProjectSwitcher } from "./project-switcher";
import { RailLink } from "./rail-link";
import { useConversations } from "./use-conversations";
import { UserMenu } from "./user-menu";

interface RailProps {
  project: string;
  /** Absent in the sheet, which closes by itself. */
  onCollapse?: () => void;
}

/** The left rail: where one is, what one talks to, what was said, and the other views. */
export function Rail({ project, onCollapse }: RailProps) {
  const t = useT();
  const pathname = usePathname();
  const params = useParams<{ agent?: string }>();
  const conversations = useConversations(project);
  const { agents } = conversations;
  const current = agents.find((agent) => agent.id === params.agent) ?? agents[0];

  return (
    <nav aria-label={t("nav.label")} className="flex h-full min-h-0 flex-col">
      <div className="flex h-12 shrink-0 items-center gap-1 px-2">
        <ProjectSwitcher project={project} />
        {onCollapse && (
          <IconButton label={t("nav.collapse")} side="right" size="sm" onClick={onCollapse}>
            <PanelLeftClose />
          </IconButton>
        )}
      </div>
      <div className="shrink-0 px-2 pb-2">
        <Button asChild className="w-full justify-start">
          <Link href={current ? places.newConversation(project, current.id) : places.project(project)}>
            <SquarePen aria-hidden="true" />
            {t("nav.new_conversation")}
          </Link>
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        <RailLink
          href={places.approvals(project)}
          here={pathname === places.approvals(project)}
          icon={<Hand />}
          count={[...conversations.live.values()].reduce((sum, { approvals }) => sum + approvals, 0)}
        >
          {t("inbox.title")}
        </RailLink>
        <AgentList project={project} agents={agents} />
        <ConversationList project={project} conversations={conversations} />
      </div>
      <div className="shrink-0 border-t px-2 py-2">
        <RailLink
          href={places.traces(project)}
          here={pathname.startsWith(places.traces(project))}
          icon={<ScrollText />}
        >
          {t("nav.traces")}
        </RailLink>
        <RailLink
          href={places.usage(project)}
          here={pathname.startsWith(places.usage(project))}
          icon={<ChartNoAxesColumn />}
        >
          {t("nav.usage")}
        </RailLink>
        <RailLink href={places.models(project)} here={pathname.startsWith(places.models(project))} icon={<Boxes />}>
          {t("nav.models")}
        </RailLink>
        <RailLink href={places.people(project)} here={pathname.startsWith(places.people(project))} icon={<Users />}>
          {t("nav.people")}
        </RailLink>
        <RailLink
          href={places.settings(project)}
          here={pathname.startsWith(places.settings(project))}
          icon={<Settings />}
        >
          {t("nav.settings")}
        </RailLink>
        <UserMenu />
      </div>
    </nav>
  );
}
