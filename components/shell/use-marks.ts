"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { toast } from "@/components/ui/toast";
import { send } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { Marks, PatchMarksBody, SessionView } from "@/lib/api/schemas";
import { isUnread, keyOf, type LiveState } from "./conversations";

/** What this person pinned and has seen, and how it is changed. */
export function useMarks(project: string) {
  const client = useQueryClient();
  const { data: marks } = useQuery({ ...queries.marks(project), staleTime: 30_000 });
  const change = useCallback(
    async (body: PatchMarksBody, quiet = false) => {
      const result = await send<Marks>("PATCH", routes.marks(project), body);
      if (result.ok) client.setQueryData(queries.marks(project).queryKey, result.data);
      else if (!quiet) toast.error(result.error.message);
    },
    [client, project],
  );
  return { marks, change };
}
export type ChangeMarks = ReturnType<typeof useMarks>["change"];

interface Seeing {
  /** The conversation that is open. */
  open: SessionView | undefined;
  live: ReadonlyMap<string, LiveState>;
  marks: Marks | undefined;
  change: ChangeMarks;
}

/** What is open before a person's eyes, and at rest, has been seen. The first visit makes everything before it old. */
export function useSeen({ open, live, marks, change }: Seeing): void {
  const visible = useVisible();
  const told = useRef("");
  const first = marks !== undefined && marks.read_before === undefined;
  const resting = open && (live.get(keyOf(open))?.state ?? open.status) === "idle";
  const news = open && resting && visible && isUnread(open, marks) ? keyOf(open) : null;
  const until = open?.last_active_at ?? "";
  const marked = news !== null && marks?.seen[news] === "";
  useEffect(() => {
    const what = first ? "first" : news && !marked ? `${news} ${until}` : "";
    if (what === "" || told.current === what) return;
    told.current = what;
    void change(first ? { read_before: new Date().toISOString() } : { seen: { [news ?? ""]: until } }, true);
  }, [first, news, marked, until, change]);
  // Marked as unread by hand: opening it again is seeing it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another page opens, or the marks arrive
  useEffect(() => {
    if (news && marked) void change({ seen: { [news]: until } }, true);
  }, [open?.id, visible, marks !== undefined]);
}

function subscribe(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}
export const useVisible = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => document.visibilityState === "visible",
    () => true,
  );
