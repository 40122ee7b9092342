"use client";
import { useEffect, useState } from "react";
import { soon } from "./behind";

type ReadyToaster = typeof import("./toaster")["default"];

const load = () => import("./toaster").then((module) => module.default);
soon(load);

/** The first view needs none: it stands there so much later, or with the first message. Milliseconds. */
const LATER_MS = 2_000;

type Kind = "success" | "error" | "info";
type Show = Record<Kind, (text: string) => unknown>;

let show: Show | null = null;
const waiting: [Kind, string][] = [];
let want = () => {};

function tell(kind: Kind, text: string): void {
  if (show) show[kind](text);
  else {
    waiting.push([kind, text]);
    want();
  }
}

/** A passing message. */
export const toast = {
  success: (text: string) => tell("success", text),
  error: (text: string) => tell("error", text),
  info: (text: string) => tell("info", text),
};

function ready(now: Show): void {
  show = now;
  for (const [kind, text] of waiting.splice(0)) now[kind](text);
}

/** Passing confirmations. An error that matters also stands beside the thing that failed. */
export function Toaster() {
  const [Ready, setReady] = useState<ReadyToaster | null>(null);
  useEffect(() => {
    // What cannot be had now is asked for again with the next message.
    want = () =>
      void load().then(
        (loaded) => setReady(() => loaded),
        () => {},
      );
    const timer = setTimeout(want, LATER_MS);
    return () => clearTimeout(timer);
  }, []);
  return Ready && <Ready onReady={ready} />;
}
