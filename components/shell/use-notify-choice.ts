"use client";
import { useCallback, useSyncExternalStore } from "react";

const KEY = "penguin:notify";
const listeners = new Set<() => void>();

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  window.addEventListener("storage", changed);
  return () => {
    listeners.delete(changed);
    window.removeEventListener("storage", changed);
  };
}

function chosen(): boolean {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/** Asking the browser stops the page until it answers, and every drawing asks: once a second is enough. Milliseconds. */
const ASK_MS = 1_000;
let asked: { at: number; permission: NotificationPermission } = { at: Number.NEGATIVE_INFINITY, permission: "default" };

function permission(): NotificationPermission {
  const now = performance.now();
  if (now - asked.at >= ASK_MS) asked = { at: now, permission: Notification.permission };
  return asked.permission;
}

/** `unavailable`: this browser cannot, or the person refused in the browser's own question. */
function current(): "on" | "off" | "unavailable" {
  if (typeof Notification === "undefined" || permission() === "denied") return "unavailable";
  return chosen() && permission() === "granted" ? "on" : "off";
}

/** Did this person ask to be told of what waits and ends, in this browser? */
export function useNotifyChoice() {
  const state = useSyncExternalStore(subscribe, current, () => "off" as const);
  const toggle = useCallback(async () => {
    const granted = current() === "on" || (await Notification.requestPermission()) === "granted";
    asked = { ...asked, at: Number.NEGATIVE_INFINITY };
    const next = granted && current() !== "on" ? "on" : "off";
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Storage is blocked: the choice cannot be kept.
    }
    for (const changed of listeners) changed();
  }, []);
  return { state, toggle };
}
