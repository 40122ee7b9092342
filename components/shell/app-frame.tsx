"use client";
import { useQueryClient } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Sheet } from "@/components/ui/dialog";
import { useT } from "@/components/ui/language";
import { NavigationContext } from "@/components/ui/navigation";
import { queries } from "@/lib/api/queries";
import type { AgentView, Role } from "@/lib/api/schemas";
import { AccessLost } from "./access-lost";
import { BudgetBanner } from "./budget-banner";
import { FollowPreferences } from "./follow-preferences";
import { FollowRole } from "./follow-role";
import { remember } from "./memory";
import { PasswordBanner } from "./password-banner";
import { Rail } from "./rail";
import { TabTitle } from "./tab-title";
import { useKeyboardRoom } from "./use-keyboard-room";
import { Watch } from "./watch";

interface AppFrameProps {
  project: string;
  /** With which the page was drawn. */
  role: Role | null;
  /** The Agents at that time; null: whoever looks is not in this Project. */
  agents: AgentView[] | null;
  /** The rail was closed at the last visit. */
  initialCollapsed: boolean;
  children: ReactNode;
}

/** What the page was drawn with is not asked for once more. */
function useDrawn(project: string, agents: AgentView[] | null): void {
  const client = useQueryClient();
  const drawn = useRef<string>(null);
  if (drawn.current === project) return;
  drawn.current = project;
  if (agents)
    client.setQueryData(queries.agents(project).queryKey, (known: AgentView[] | undefined) => known ?? agents);
}

/** The frame of every page of a Project: the rail beside the work, or behind a button on a phone. */
export function AppFrame({ project, role, agents, initialCollapsed, children }: AppFrameProps) {
  const t = useT();
  const [collapsed, setCollapsed] = useState(initialCollapsed);
  const [sheetOpen, setSheetOpen] = useState(false);
  const [lost, setLost] = useState<string | null>(null);
  const client = useQueryClient();
  useDrawn(project, agents);
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheet closes whenever another page opens
  useEffect(() => setSheetOpen(false), [pathname]);

  useKeyboardRoom();

  const collapse = (next: boolean) => {
    setCollapsed(next);
    remember("rail", next ? "closed" : "open");
  };
  const navigation = useMemo(
    () => ({
      openSheet: () => setSheetOpen(true),
      collapsed,
      expand: () => {
        setCollapsed(false);
        remember("rail", "open");
      },
    }),
    [collapsed],
  );

  if (lost === project) return <AccessLost />;
  return (
    <NavigationContext value={navigation}>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-sm text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("common.skip")}
      </a>
      <TabTitle
        project={project}
        onGone={() => {
          setLost(project);
          // What was read with a right that ended is forgotten.
          client.clear();
        }}
      />
      <FollowPreferences />
      <FollowRole project={project} drawn={role} />
      <Watch project={project} />
      <div className="flex h-[calc(100dvh-var(--keyboard,0px))] overflow-hidden">
        {!collapsed && (
          <aside className="w-66 shrink-0 border-r bg-rail max-md:hidden">
            <Rail project={project} onCollapse={() => collapse(true)} />
          </aside>
        )}
        <main id="content" tabIndex={-1} className="relative flex min-w-0 flex-1 flex-col overflow-clip outline-none">
          <PasswordBanner project={project} />
          <BudgetBanner project={project} />
          {children}
        </main>
      </div>
      <Sheet
        open={sheetOpen}
        onOpenChange={setSheetOpen}
        side="left"
        title={t("nav.label")}
        hideTitle
        focusInside={false}
        className="bg-rail"
      >
        <Rail project={project} />
      </Sheet>
    </NavigationContext>
  );
}
