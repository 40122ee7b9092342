"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { liveClient } from "@/lib/api/live/client";
import { queries } from "@/lib/api/queries";
import type { ProjectStatus } from "@/lib/api/schemas";

const RETRY_MS = 5_000;

/** Projects whose states come by themselves, over the connection that all windows share. */
const followed = new Set<string>();

/** Does the server tell the states of this Project's Sessions, so that nobody need ask? */
export function isFollowed(project: string): boolean {
  return followed.has(project);
}

/** Puts the states of a Project's Sessions where queries read them, as they change. Once per window. */
export function useLiveStatus(project: string): void {
  const client = useQueryClient();
  useEffect(() => {
    let stream: { close: () => void } | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      stream = liveClient().open({ project }, "", {
        onOpen: () => void followed.add(project),
        onEvent: ({ event, data }) => {
          if (event !== "status") return;
          const status: ProjectStatus = JSON.parse(data);
          client.setQueryData(queries.status(project).queryKey, status);
        },
        onEnd: (status) => {
          followed.delete(project);
          // What the server refused will be refused again; the pages say why.
          if (status === 0) timer = setTimeout(open, RETRY_MS);
        },
      });
    };
    open();
    return () => {
      followed.delete(project);
      clearTimeout(timer);
      stream?.close();
    };
  }, [client, project]);
}
