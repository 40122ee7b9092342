import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({
  extend: { theme: { text: ["xs", "sm", "base", "lg", "xl", "2xl"], shadow: ["float", "control"] } },
});

/** Joins class names; later ones win over earlier ones of the same property. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
