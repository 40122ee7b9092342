"use client";
import { useEffect, useRef } from "react";
import { useT } from "@/components/ui/language";
import { useRemembered } from "@/components/ui/use-remembered";
import type { SessionView } from "@/lib/api/schemas";
import { keyOf, type LiveState, newsBetween } from "./conversations";

const CHOICES = ["off", "on"] as const;

interface Notifications {
  /** `unavailable`: this browser cannot, or the person refused in the browser's own question. */
  state: "on" | "off" | "unavailable";
  toggle: () => Promise<void>;
}

const available = () => typeof Notification !== "undefined" && Notification.permission !== "denied";

/** Tells a person who looks elsewhere that something waits or has ended. Only for those who asked for it. */
export function useNotifications(
  live: ReadonlyMap<string, LiveState> | undefined,
  sessions: readonly SessionView[],
  onOpen: (key: string) => void,
): Notifications {
  const t = useT();
  const [choice, setChoice] = useRemembered("notify", CHOICES, "off");
  const before = useRef<ReadonlyMap<string, LiveState> | null>(null);
  const on = choice === "on" && available() && Notification.permission === "granted";
  const latest = useRef({ sessions, onOpen });
  latest.current = { sessions, onOpen };
  useEffect(() => {
    if (!live) return;
    const news = before.current ? newsBetween(before.current, live) : [];
    before.current = live;
    if (!on || document.visibilityState === "visible") return;
    for (const { key, kind } of news) {
      const title = latest.current.sessions.find((one) => keyOf(one) === key)?.title ?? t("nav.untitled");
      show(t(kind === "approval" ? "notify.approval" : "notify.ended"), title, `${key} ${kind}`, () =>
        latest.current.onOpen(key),
      );
    }
  }, [live, on, t]);
  const toggle = async () => {
    if (choice === "on") return setChoice("off");
    if (!available()) return;
    if ((await Notification.requestPermission()) === "granted") setChoice("on");
  };
  return { state: on ? "on" : available() ? "off" : "unavailable", toggle };
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
