"use client";
import { X } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useState } from "react";
import { Sheet } from "@/components/ui/dialog";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";

const [MIN, MAX, NORMAL] = [300, 900, 420];
const KEY = "penguin_panel_width";
/** Below this the panel is a sheet. */
const WIDE = "(min-width: 64rem)";

interface SidePanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A docked panel whose width is remembered; a sheet where there is no room. */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  const t = useT();
  const wide = useWide();
  const [width, setWidth] = useState(readWidth);
  if (!wide) {
    return (
      <Sheet
        open
        onOpenChange={(open) => !open && onClose()}
        title={title}
        className="w-[min(30rem,100vw)]"
        focusInside={false}
      >
        <div className="flex min-h-0 flex-1 flex-col">{children}</div>
      </Sheet>
    );
  }
  return (
    <aside aria-label={title} style={{ width }} className="relative flex min-h-0 shrink-0 flex-col border-l bg-page">
      <Grip width={width} onWidth={setWidth} />
      <header className="flex h-12 shrink-0 items-center gap-2 border-b px-4">
        <h2 className="min-w-0 flex-1 truncate text-base font-medium">{title}</h2>
        <IconButton label={t("common.close")} size="sm" onClick={onClose}>
          <X />
        </IconButton>
      </header>
      {children}
    </aside>
  );
}

/** Drawn, or moved with the arrow keys. */
function Grip({ width, onWidth }: { width: number; onWidth: (width: number) => void }) {
  const t = useT();
  const set = (next: number) => {
    const allowed = Math.round(Math.min(Math.max(next, MIN), Math.min(MAX, window.innerWidth - 560)));
    onWidth(allowed);
    localStorage.setItem(KEY, String(allowed));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) set(window.innerWidth - event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: 24, ArrowRight: -24 }[event.key];
    if (step) set(width + step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves has no element of its own
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t("panel.width")}
      aria-valuenow={width}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none hover:bg-accent-soft"
    />
  );
}

function readWidth(): number {
  const kept = typeof localStorage === "undefined" ? Number.NaN : Number(localStorage.getItem(KEY));
  return kept >= MIN && kept <= MAX ? kept : NORMAL;
}

function useWide(): boolean {
  const [wide, setWide] = useState(() => typeof matchMedia === "function" && matchMedia(WIDE).matches);
  useEffect(() => {
    const media = matchMedia(WIDE);
    const tell = () => setWide(media.matches);
    tell();
    media.addEventListener("change", tell);
    return () => media.removeEventListener("change", tell);
  }, []);
  return wide;
}
