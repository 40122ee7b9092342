"use client";
import { useEffect } from "react";
import { waitingApprovals } from "./conversations";
import { useProjectStatus } from "./use-conversations";
import { useLiveStatus } from "./use-live-status";

/** Puts the number of waiting approvals in front of the tab's title, whatever the page calls itself. */
export function TabTitle({ project, onGone }: { project: string; onGone: () => void }) {
  useLiveStatus(project, onGone);
  const waiting = waitingApprovals(useProjectStatus(project).data);
  useEffect(() => {
    const apply = () => {
      const bare = document.title.replace(/^\(\d+\) /, "");
      const wanted = waiting > 0 ? `(${waiting}) ${bare}` : bare;
      if (document.title !== wanted) document.title = wanted;
    };
    apply();
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [waiting]);
  return null;
}
