"use client";
import { useEffect, useRef, useState } from "react";
import { useT } from "@/components/ui/language";
import type { SessionState } from "./session-store";

/** For screen readers: that an answer began and ended, and that a person is asked. Never each word. */
export function StatusRegion({ state: { run, approvals, loaded, transcript } }: { state: SessionState }) {
  const t = useT();
  const [said, setSaid] = useState("");
  const before = useRef(run.state);
  const stopped = transcript.tasks.at(-1)?.items.at(-1)?.kind === "abort";
  const end = run.error ? "chat.say_failed" : stopped ? "chat.say_stopped" : "chat.say_complete";
  useEffect(() => {
    if (!loaded || before.current === run.state) return;
    const finished = before.current;
    before.current = run.state;
    if (run.state === "running") setSaid(t("chat.say_answering"));
    else if (run.state === "compacting") setSaid(t("chat.say_compacting"));
    else setSaid(t(finished === "running" ? end : "chat.say_compacted"));
  }, [run.state, loaded, end, t]);
  const asked = approvals[0];
  return (
    <div className="sr-only">
      <p role="status">{said}</p>
      <p role="alert">{asked ? t("chat.approval_needed", { tool: asked.tool_call.name }) : ""}</p>
    </div>
  );
}
