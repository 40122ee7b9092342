/** Keyboard questions that every text field must answer in the same way. */
import type { KeyboardEvent } from "react";

/**
 * Is this key part of an input method's composition? Chrome says `isComposing`; Safari ends the composition first and
 * then sends the same Enter with key code 229.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}

/** Enter alone sends; with Shift it breaks the line, and within a composition it confirms a candidate. */
export function isSendKey(event: KeyboardEvent): boolean {
  return (
    event.key === "Enter" && !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey && !isComposing(event)
  );
}
