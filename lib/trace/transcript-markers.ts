/** Bracketed blocks at the head of an input, as the conversation shows them. */
import type { Banner } from "./transcript-items";

export interface Marker {
  tag: string;
  body: string;
  /** What the person wrote below it. */
  rest: string;
  /** Absent for blocks that are no banner. */
  banner?: Banner;
}

const SHOWN = "use_skills|handoff_from|model_switch_from|scheduled_task|background_task_done|context_summary";
const SQUARE_ONLY = /^\[(user_steering|goal)\]\n?([\s\S]*?)\n?\[\/\1\](?:\n|$)/;
const EITHER = new RegExp(`^[[<](${SHOWN})[\\]>]\\n?([\\s\\S]*?)\\n?[[<]/\\1[\\]>](?:\\n|$)`);
/** These count only when they are the whole message. */
const WHOLE = new Set(["handoff_from", "model_switch_from", "user_steering", "context_summary"]);

/** The marker at index 0 of an input; null when there is none that counts. */
export function readMarker(text: string): Marker | null {
  const match = SQUARE_ONLY.exec(text) ?? EITHER.exec(text);
  if (!match) return null;
  const [whole, tag = "", body = ""] = match;
  const rest = text.slice(whole.length).replace(/^\n+/, "");
  if (WHOLE.has(tag) && rest.trim() !== "") return null;
  return { tag, body: body.trim(), rest, banner: bannerOf(tag, fields(body)) };
}

function fields(body: string): Map<string, string> {
  const found = body.split("\n").flatMap((line): [string, string][] => {
    const match = /^\s*([a-z_]+): (.*)$/.exec(line);
    return match?.[1] ? [[match[1], (match[2] ?? "").trim()]] : [];
  });
  return new Map(found);
}

/** `id (label)`; the label is left out when it says nothing more. */
function labelled(value = ""): { id: string; label?: string } {
  const match = /^([\w-]+) \((.*)\)$/.exec(value);
  return match?.[1] ? { id: match[1], label: match[2] } : { id: value };
}

function bannerOf(tag: string, field: Map<string, string>): Banner | undefined {
  const get = (name: string) => field.get(name);
  switch (tag) {
    case "model_switch_from": {
      const { id: session, label: title } = labelled(get("session"));
      const [previous_model, previous_provider] = [get("previous_model"), get("previous_provider")];
      return { type: "model_switch", session, title, workspace: get("workspace"), previous_model, previous_provider };
    }
    case "handoff_from": {
      const { id: agent, label: agent_name } = labelled(get("agent"));
      const { id: session, label: title } = labelled(get("session"));
      return { type: "handoff", agent, agent_name, session: session || undefined, title, workspace: get("workspace") };
    }
    case "use_skills":
      return {
        type: "skills",
        skills: (get("skills") ?? "")
          .split(",")
          .map((name) => name.trim())
          .filter(Boolean),
      };
    case "scheduled_task":
      return { type: "schedule", schedule: get("schedule") ?? "", fired_at: get("fired_at") };
    case "goal":
      return { type: "goal", round: Number(get("round")) || 1 };
    case "background_task_done":
      return {
        type: "background",
        kind: get("kind") ?? "",
        id: get("id") ?? "",
        status: get("status") ?? "",
        detail: get("detail"),
      };
    default:
      return undefined;
  }
}
