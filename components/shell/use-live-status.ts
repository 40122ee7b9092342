"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { liveClient } from "@/lib/api/live/client";
import { noteFollowed } from "@/lib/api/live/followed";
import { queries } from "@/lib/api/queries";
import type { ProjectStatus } from "@/lib/api/schemas";

const RETRY_MS = 5_000;
/** The first time at once: the server may have ended it because the right to it ended. */
const FIRST_RETRY_MS = 100;
/** What the page was drawn with is asked for again once it stands. */
const ONCE_OPEN_MS = 1_000;

/**
 * Puts the states of a Project's Sessions where queries read them, as they change. Once per window. `onGone`: this
 * person may not see the Project any more.
 */
export function useLiveStatus(project: string, onGone: () => void): void {
  const client = useQueryClient();
  const gone = useRef(onGone);
  gone.current = onGone;
  useEffect(() => {
    let soon = true;
    let before = false;
    let stream: { close: () => void } | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      stream = liveClient().open({ project }, "", {
        onOpen: () => {
          soon = true;
          // It may have ended because the person's role changed, or begun behind such a change.
          const ask = () => void client.invalidateQueries({ queryKey: queries.me().queryKey });
          if (before) ask();
          else asking = setTimeout(ask, ONCE_OPEN_MS);
          before = true;
          noteFollowed(project, true);
        },
        onEvent: ({ event, data }) => {
          if (event !== "status") return;
          const status: ProjectStatus = JSON.parse(data);
          client.setQueryData(queries.status(project).queryKey, status);
        },
        onEnd: (status) => {
          noteFollowed(project, false);
          if (status === 404 || status === 403) gone.current();
          // Whoever asks who is signed in is sent to sign in.
          if (status === 401) void client.invalidateQueries({ queryKey: queries.me().queryKey });
          if (status !== 0) return;
          timer = setTimeout(open, soon ? FIRST_RETRY_MS : RETRY_MS);
          soon = false;
        },
      });
    };
    open();
    return () => {
      noteFollowed(project, false);
      clearTimeout(timer);
      clearTimeout(asking);
      stream?.close();
    };
  }, [client, project]);
}
