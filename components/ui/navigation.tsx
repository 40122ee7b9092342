"use client";
import { Menu as MenuIcon, PanelLeft } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { cn } from "./cn";
import { IconButton } from "./icon-button";
import { useT } from "./language";

interface Navigation {
  /** Opens the rail as a sheet (phone). */
  openSheet: () => void;
  collapsed: boolean;
  expand: () => void;
}
export const NavigationContext = createContext<Navigation | null>(null);

interface PageHeaderProps {
  /** The name of the page; the only h1. */
  title: ReactNode;
  /** A quiet line or badges behind the title. */
  detail?: ReactNode;
  actions?: ReactNode;
  className?: string;
}

/** The way back to the rail when it is hidden: a sheet on a phone, a fold elsewhere. */
export function RailButton() {
  const t = useT();
  const navigation = useContext(NavigationContext);
  if (!navigation) return null;
  return (
    <>
      <IconButton label={t("nav.open")} side="bottom" className="-ml-2 md:hidden" onClick={navigation.openSheet}>
        <MenuIcon />
      </IconButton>
      {navigation.collapsed && (
        <IconButton label={t("nav.expand")} side="bottom" className="-ml-2 max-md:hidden" onClick={navigation.expand}>
          <PanelLeft />
        </IconButton>
      )}
    </>
  );
}

/** The bar on top of every page. */
export function PageHeader({ title, detail, actions, className }: PageHeaderProps) {
  return (
    <header className={cn("flex min-h-12 shrink-0 items-center gap-2 border-b px-4 md:px-6", className)}>
      <RailButton />
      <div className="flex min-w-0 flex-1 items-center gap-3">
        <h1 className="min-w-0 truncate text-base font-semibold">{title}</h1>
        {detail}
      </div>
      {actions && <div className="flex shrink-0 items-center gap-2">{actions}</div>}
    </header>
  );
}

/** Names the browser tab after what is open. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} · PenguinHarness`;
  }, [title]);
}
