"use client";
import { useEffect } from "react";

/** Less than this is no keyboard but a bar of the browser. Pixels. */
const LEAST = 80;

/**
 * Room for the keyboard of a phone that lays it over the page instead of making the page smaller (iOS): the height it
 * takes stands in `--keyboard`, and what the browser scrolled away to show the focused box comes back.
 */
export function useKeyboardRoom(): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const style = document.documentElement.style;
    const measure = () => {
      // Zoomed in by hand the seen part is smaller without any keyboard.
      const covered = seen.scale > 1.01 ? 0 : window.innerHeight - seen.height;
      if (covered < LEAST) style.removeProperty("--keyboard");
      else {
        style.setProperty("--keyboard", `${Math.round(covered)}px`);
        window.scrollTo(0, 0);
      }
    };
    seen.addEventListener("resize", measure);
    measure();
    return () => {
      seen.removeEventListener("resize", measure);
      style.removeProperty("--keyboard");
    };
  }, []);
}
