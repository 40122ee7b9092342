"use client";
/** Zoom and pan of one chart: by buttons, by keys, by dragging, by two fingers. The wheel is left to the page. */
import { type MouseEvent, type PointerEvent, useMemo, useRef, useState } from "react";
import { shifted, type View, zoomed } from "@/lib/trace/timeline-layout";

/** A pointer that moved less than this clicked. Pixels. */
const CLICK = 5;

interface Drag {
  /** Pointers that are down, by id: their x. */
  points: Map<number, number>;
  startX: number;
  view: View;
  moved: boolean;
  /** Shift: a stretch of time is chosen. */
  selects: boolean;
}

export function useChartView(whole: View, width: number) {
  const [zoom, setZoom] = useState<View | null>(null);
  const [selected, setSelected] = useState<{ x: number; width: number } | null>(null);
  const drag = useRef<Drag | null>(null);
  const moved = useRef(false);
  const view = useMemo(() => (zoom ? shifted(zoom, whole, 0) : whole), [zoom, whole]);
  const span = view.to - view.from;
  const timeAt = (x: number) => view.from + (x / Math.max(1, width)) * span;
  const show = (next: View) => setZoom(next.to - next.from >= (whole.to - whole.from) * 0.999 ? null : next);
  const xOf = (event: PointerEvent | MouseEvent) => event.clientX - event.currentTarget.getBoundingClientRect().left;

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const x = xOf(event);
    const points = new Map(drag.current?.points).set(event.pointerId, x);
    moved.current = false;
    drag.current = { points, startX: x, view, moved: false, selects: event.shiftKey && event.pointerType === "mouse" };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const now = drag.current;
    const before = now?.points.get(event.pointerId);
    if (!now || before === undefined) return;
    const x = xOf(event);
    if (now.points.size === 2) return pinch(now, event.pointerId, x);
    if (!now.moved && Math.abs(x - now.startX) < CLICK) return;
    if (!now.moved) event.currentTarget.setPointerCapture(event.pointerId);
    now.moved = moved.current = true;
    now.points.set(event.pointerId, x);
    if (now.selects) return setSelected({ x: Math.min(x, now.startX), width: Math.abs(x - now.startX) });
    if (zoom) show(shifted(now.view, whole, ((now.startX - x) / Math.max(1, width)) * (now.view.to - now.view.from)));
  };
  const pinch = (now: Drag, id: number, x: number) => {
    const [a = 0, b = 0] = [...now.points.values()];
    const apart = Math.max(20, Math.abs(a - b));
    now.points.set(id, x);
    const [c = 0, d = 0] = [...now.points.values()];
    moved.current = now.moved = true;
    show(zoomed(view, whole, Math.max(20, Math.abs(c - d)) / apart, timeAt((c + d) / 2)));
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const now = drag.current;
    if (!now) return;
    if (now.selects && selected && selected.width > CLICK) {
      show(shifted({ from: timeAt(selected.x), to: timeAt(selected.x + selected.width) }, whole, 0));
    }
    setSelected(null);
    now.points.delete(event.pointerId);
    if (now.points.size === 0) drag.current = null;
    else drag.current = { ...now, startX: [...now.points.values()][0] ?? 0, view };
  };

  return {
    view,
    isZoomed: zoom !== null,
    selected,
    /** Did the pointer drag? Then the click at its end means nothing. */
    dragged: () => moved.current,
    zoomBy: (factor: number, at?: number) => show(zoomed(view, whole, factor, at)),
    panBy: (share: number) => show(shifted(view, whole, share * span)),
    reset: () => setZoom(null),
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onDoubleClick: (event: MouseEvent<HTMLElement>) =>
        show(zoomed(view, whole, event.shiftKey ? 0.5 : 2, timeAt(xOf(event)))),
    },
  };
}
export type ChartView = ReturnType<typeof useChartView>;
