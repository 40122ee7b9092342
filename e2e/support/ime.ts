/** The Enter of an input method, as browsers really send it: Chrome inside the composition, Safari right after its end. */
import type { Locator } from "@playwright/test";

export async function confirmCandidate(field: Locator, order: "chrome" | "safari"): Promise<void> {
  await field.evaluate((element, kind) => {
    const compose = (type: string) =>
      element.dispatchEvent(new CompositionEvent(type, { bubbles: true, data: "日本" }));
    const enter = (isComposing: boolean) => {
      const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, isComposing });
      Object.defineProperty(event, "keyCode", { get: () => 229 });
      element.dispatchEvent(event);
    };
    compose("compositionstart");
    compose("compositionupdate");
    if (kind === "chrome") enter(true);
    compose("compositionend");
    if (kind === "safari") enter(false);
  }, order);
}

export async function confirmCandidates(field: Locator): Promise<void> {
  await confirmCandidate(field, "chrome");
  await confirmCandidate(field, "safari");
}
