"use client";
import { useEffect, useRef } from "react";
import { useT } from "@/components/ui/language";
import type { SessionView } from "@/lib/api/schemas";
import { keyOf, type LiveState, newsBetween } from "./conversations";
import { isInSight, keepInSight } from "./in-sight";
import { useNotifyChoice } from "./use-notify-choice";

/** Tells a person who looks elsewhere that something waits or has ended. Only those who asked for it. */
export function useNotifications(
  project: string,
  live: ReadonlyMap<string, LiveState> | null,
  sessions: readonly SessionView[],
  onOpen: (key: string) => void,
): void {
  const t = useT();
  const on = useNotifyChoice().state === "on";
  const before = useRef<ReadonlyMap<string, LiveState> | null>(null);
  const latest = useRef({ sessions, onOpen });
  latest.current = { sessions, onOpen };
  useEffect(() => keepInSight(project), [project]);
  useEffect(() => {
    if (!live) return;
    const news = before.current ? newsBetween(before.current, live) : [];
    before.current = live;
    if (!on || document.visibilityState === "visible") return;
    if (news.length === 0) return;
    const tell = () => {
      for (const { key, kind } of news) {
        const title = latest.current.sessions.find((one) => keyOf(one) === key)?.title ?? t("nav.untitled");
        show(t(kind === "approval" ? "notify.approval" : "notify.ended"), title, `${key} ${kind}`, () =>
          latest.current.onOpen(key),
        );
      }
    };
    // Whoever looks at another window of this Project sees it there.
    void isInSight(project).then((seen) => seen || tell());
  }, [project, live, on, t]);
}

/** Windows of one browser that tell the same tell it once: the tag is the same. */
function show(title: string, body: string, tag: string, onOpen: () => void): void {
  try {
    const shown = new Notification(title, { body, tag });
    shown.onclick = () => {
      window.focus();
      onOpen();
      shown.close();
    };
  } catch {
    // Some phones allow notifications from service workers only: the tab's title still tells.
  }
}
