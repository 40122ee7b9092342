"use client";
import { ArrowDown } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { Spinner } from "@/components/ui/spinner";
import type { Transcript } from "@/lib/trace/transcript-items";
import { Damage } from "./items/damage";
import { Outline } from "./outline";
import type { SessionState } from "./session-store";
import { TaskSlots } from "./task-slots";
import { useArrival } from "./use-arrival";
import { useFollow } from "./use-follow";

interface MessageListProps {
  sessionKey: string;
  transcript: Transcript;
  older: SessionState["older"];
  onOlder: () => void;
  /** After the newest block: what happens now, and notices. */
  children?: React.ReactNode;
}

/** The conversation, newest at the end. Older parts come when the person scrolls to the top. */
export function MessageList({ sessionKey, transcript, older, onOlder, children }: MessageListProps) {
  const t = useT();
  const { tasks, damaged } = transcript;
  const { box, content, away, toEnd, toTask, current, settle } = useFollow(sessionKey);
  useArrival({ transcript, idle: older === "idle", onOlder, toTask });
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
      >
        <div ref={content} className="mx-auto w-full max-w-[46rem] px-4 pt-2 pb-6 sm:px-6">
          <Top box={box} more={transcript.more} state={older} onOlder={onOlder} />
          <div role="log" aria-label={t("chat.messages")} aria-relevant="additions">
            <TaskSlots box={box} tasks={tasks} settle={settle} />
          </div>
          <Damage lines={damaged} />
          {children}
        </div>
      </div>
      <Outline tasks={tasks} before={transcript.tasks_before} current={current} onGo={toTask} />
      {away && (
        <Button
          onClick={toEnd}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float animate-fade-in"
        >
          <ArrowDown aria-hidden="true" />
          {t("chat.jump_to_latest")}
        </Button>
      )}
    </div>
  );
}

interface TopProps {
  box: RefObject<HTMLElement | null>;
  more: boolean;
  state: SessionState["older"];
  onOlder: () => void;
}

/** Asks for the window before as soon as it comes near. */
function Top({ box, more, state, onOlder }: TopProps) {
  const t = useT();
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!more || state !== "idle" || !mark.current) return;
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && onOlder(), {
      root: box.current,
      rootMargin: "600px 0px 0px",
    });
    near.observe(mark.current);
    return () => near.disconnect();
  }, [box, more, state, onOlder]);
  if (!more) return null;
  return (
    <div ref={mark} className="flex h-10 items-center justify-center gap-2 text-xs text-faint">
      {state === "failed" ? (
        <>
          <span role="alert">{t("chat.older_failed")}</span>
          <Button size="sm" onClick={onOlder}>
            {t("common.retry")}
          </Button>
        </>
      ) : (
        <>
          <Spinner />
          {t("chat.older_loading")}
        </>
      )}
    </div>
  );
}
