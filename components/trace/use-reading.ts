"use client";
/** What of a Trace is open, linked, searched for and shown: the state behind both readings, kept in the address bar. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useHydrating } from "@/components/ui/use-hydrating";
import { places } from "@/lib/api/places";
import type { SessionRef } from "@/lib/api/routes";
import type { TraceOverview } from "@/lib/api/trace-overview";
import type { RecordAddress } from "@/lib/omni/message";
import type { SessionAnalysis } from "@/lib/trace/analysis";
import { QUICK_BYTES } from "@/lib/trace/rows-window";
import { addressKey } from "@/lib/trace/timeline";
import { eventItems, groupOf, groups, Positions, timelineItems } from "./reading";
import type { RecordListHandle } from "./record-list";

export type Reading = "timeline" | "events";

export interface Start {
  index: number;
  line?: number;
  view?: Reading;
  q?: string;
}

/** A Task with at most so many records is open from the start when it is the only one. */
const FEW = 60;
/** The server draws the beginning of a Trace with so many. */
const MANY_LINES = 50_000;

export function useReading(
  session: SessionRef,
  start: Start,
  files: TraceOverview["files"],
  analysis: SessionAnalysis | undefined,
  list: RefObject<RecordListHandle | null>,
) {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const [chosen, setChosen] = useState<Reading | undefined>(start.view);
  const byItself: Reading = start.line || start.q || bytes > QUICK_BYTES ? "events" : "timeline";
  const reading = chosen ?? byItself;
  const first = start.line ? { file_index: start.index, line: start.line } : undefined;
  const [linked, setLinked] = useState<RecordAddress | undefined>(first);
  const [target, setTarget] = useState<RecordAddress | undefined>(
    first ?? (start.index > 1 ? { file_index: start.index, line: 1 } : undefined),
  );
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(first ? [addressKey(first)] : []));
  const [openTasks, setOpenTasks] = useState<ReadonlySet<number> | null>(null);
  const [text, setText] = useState(start.q ?? "");

  const positions = useMemo(() => new Positions(files), [files]);
  const tasks = analysis?.tasks;
  const shownTasks = useMemo(() => openTasks ?? openAtFirst(positions, tasks), [openTasks, positions, tasks]);
  // What opens elsewhere is not shown from its beginning first; what is long takes the server too long.
  const later = useHydrating() && (target !== undefined || positions.total > MANY_LINES);
  const items = useMemo(() => {
    if (later) return [];
    if (reading === "events") return eventItems(positions);
    return tasks ? timelineItems(positions, tasks, shownTasks) : [];
  }, [later, reading, positions, tasks, shownTasks]);

  // The list shows a record as soon as the record is in it: its card may have to open first, its file to be loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new items are what may make it appear
  useEffect(() => {
    if (!target) return;
    if (reading === "timeline" && tasks) {
      const group = groupOf(positions, tasks, target);
      if (group !== null && !shownTasks.has(group)) return setOpenTasks(new Set([...shownTasks, group]));
    }
    if (list.current?.show(target)) setTarget(undefined);
  }, [target, items, reading, tasks, positions, shownTasks, list]);

  useAddressBar(session, { reading: chosen, linked, text, start });
  const show = useCallback((address: RecordAddress, link = true) => {
    if (link) setLinked(address);
    setTarget({ ...address });
  }, []);
  const toggle = useCallback((address: RecordAddress, opens: boolean) => {
    setOpen((now) => withKey(now, addressKey(address), opens));
    setLinked(opens ? address : undefined);
  }, []);
  const toggleTask = useCallback(
    (task: number, opens: boolean) => setOpenTasks((now) => withKey(now ?? shownTasks, task, opens)),
    [shownTasks],
  );
  return {
    ...{ reading, items, linked, open, text, positions },
    choose: setChosen,
    ...{ setText, show, toggle, toggleTask },
  };
}

function withKey<K>(set: ReadonlySet<K>, key: K, present: boolean): ReadonlySet<K> {
  const next = new Set(set);
  if (present) next.add(key);
  else next.delete(key);
  return next;
}

/** A short Trace of one Task shows everything at once. */
function openAtFirst(positions: Positions, tasks: SessionAnalysis["tasks"] | undefined): ReadonlySet<number> {
  const all = tasks ? groups(positions, tasks).filter(({ task }) => task >= 0) : [];
  const [only] = all;
  return new Set(only && all.length === 1 && only.to - only.from <= FEW ? [only.task] : []);
}

interface Shown {
  reading: Reading | undefined;
  linked: RecordAddress | undefined;
  text: string;
  start: Start;
}

/** The address bar names what is in sight, so that it can be handed on. */
function useAddressBar({ project, agent, session }: SessionRef, { reading, linked, text, start }: Shown): void {
  const last = useRef("");
  useEffect(() => {
    const ref = { project, agent, session, index: linked?.file_index ?? start.index };
    const url = new URL(places.trace(ref, linked?.line), location.origin);
    if (reading) url.searchParams.set("view", reading);
    if (text) url.searchParams.set("q", text);
    if (last.current !== "" && last.current !== url.href) history.replaceState(history.state, "", url);
    last.current = url.href;
  }, [project, agent, session, reading, linked, text, start.index]);
}
