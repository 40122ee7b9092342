/** Who did it, in words: people by their names, modes and policies by what they are. */
import type { T } from "@/components/ui/language";
import type { ApprovalMode, RecordAddress } from "@/lib/omni/message";
import { APPROVAL_MODES } from "@/lib/omni/values";

/** How people are told apart and called. */
export interface Who {
  userId: string;
  /** Display names by id; whoever is not in it is called by the id. */
  names?: ReadonlyMap<string, string>;
  /** Does this record stand in an imported file? People named there are strangers, whatever they are called. */
  fromFile?: (address: RecordAddress | undefined) => boolean;
}

/** `address`: of the record that names them; none for what happens now. */
export function whoName(t: T, by: string | undefined, who: Who, address?: RecordAddress): string {
  if (by === undefined) return t("chat.somebody");
  if (who.fromFile?.(address)) return t("chat.from_file", { name: by });
  if (by === who.userId) return t("chat.you");
  return who.names?.get(by) ?? by;
}

/** The id of whoever is called by a name, for a tooltip: names are not unique. */
export function whoId(by: string | undefined, who: Who, address?: RecordAddress): string | undefined {
  const named = by !== undefined && by !== who.userId && who.names?.has(by) && !who.fromFile?.(address);
  return named ? by : undefined;
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

/** "Allowed by Ana Example", "Allowed by the mode read-only", "Forbidden by the policy no-rm". */
export function decisionWords(
  t: T,
  decision: "allow" | "deny" | "forbidden",
  by: string | undefined,
  who: Who,
  address?: RecordAddress,
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
  return t(decision === "allow" ? "chat.allowed_by" : "chat.denied_by", { name: whoName(t, by, who, address) });
}

export function modeWords(t: T, mode: ApprovalMode): string {
  return t(`approval_mode.${mode}`);
}
