import type { T } from "@/components/ui/language";
import type { Phrase } from "@/lib/api/trace-summary";

/** A phrase in the reader's language. */
export function say(t: T, phrase: Phrase): string {
  return typeof phrase === "string" ? phrase : t(phrase.words, phrase.params);
}
