/** Who did it, in words: people by their id, modes and policies by what they are. */
import type { T } from "@/components/ui/language";
import type { ApprovalMode } from "@/lib/omni/message";
import { APPROVAL_MODES } from "@/lib/omni/values";

export function whoName(t: T, by: string | undefined, userId: string): string {
  if (by === undefined) return t("chat.somebody");
  return by === userId ? t("chat.you") : by;
}

/** Ends of a question that nobody answered; a rule of the Project is another thing. */
const UNANSWERED = {
  "policy:shutdown": "chat.unanswered_shutdown",
  "policy:stopped": "chat.unanswered_stopped",
  "policy:request_failed": "chat.unanswered_failed",
} as const;
type Unanswered = keyof typeof UNANSWERED;

/** Was it the server that closed the question, because what asked it had ended? */
export function isUnanswered(by: string | undefined): by is Unanswered {
  return by !== undefined && Object.hasOwn(UNANSWERED, by);
}

/** "Allowed by ana", "Allowed by the mode read-only", "Forbidden by the policy no-rm". */
export function decisionWords(
  t: T,
  decision: "allow" | "deny" | "forbidden",
  by: string | undefined,
  userId: string,
): string {
  if (isUnanswered(by)) return t(UNANSWERED[by]);
  if (by?.startsWith("policy:") || decision === "forbidden") {
    return t("chat.forbidden_by", { rule: by?.replace(/^policy:/, "") ?? "–" });
  }
  const mode = by?.startsWith("mode:") ? APPROVAL_MODES.find((known) => `mode:${known}` === by) : undefined;
  if (by?.startsWith("mode:")) {
    const name = mode ? modeWords(t, mode) : by.slice(5);
    return t(decision === "allow" ? "chat.allowed_by_mode" : "chat.denied_by_mode", { mode: name });
  }
  if (by === undefined) return t(decision === "allow" ? "chat.allowed" : "chat.denied");
  return t(decision === "allow" ? "chat.allowed_by" : "chat.denied_by", { name: whoName(t, by, userId) });
}

export function modeWords(t: T, mode: ApprovalMode): string {
  return t(`approval_mode.${mode}`);
}
