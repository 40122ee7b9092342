"use client";
import { type RefObject, useEffect, useState } from "react";

/** The width of an element in pixels, as it changes. */
export function useWidth(box: RefObject<HTMLElement | null>, start: number): number {
  const [width, setWidth] = useState(start);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
