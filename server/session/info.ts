/** The changeable settings of a Session: always recorded with all their values. */
import { event } from "../../lib/omni/build";
import type { EventMessage, SessionInfoPayload } from "../../lib/omni/message";

export type SessionSettings = Pick<
  SessionInfoPayload,
  "title" | "archived" | "approval_mode" | "thinking_level" | "visibility"
>;

/** What holds until something else was recorded. */
export const DEFAULT_SETTINGS: SessionSettings = {
  title: null,
  archived: false,
  approval_mode: "read-only",
  thinking_level: null,
  visibility: "team",
};

/** What a Project sets for its Sessions. */
export type ProjectDefaults = Partial<Pick<SessionSettings, "approval_mode" | "visibility">>;

/** `defaults`: the Project's, for a Session that recorded none of its own. */
export function settingsOf(info: SessionInfoPayload | null, defaults: ProjectDefaults = {}): SessionSettings {
  if (!info) return { ...DEFAULT_SETTINGS, ...defaults };
  const { title, archived, approval_mode, thinking_level, visibility } = info;
  return { title, archived, approval_mode, thinking_level, visibility };
}

export function infoRecord(settings: SessionSettings, by?: string): EventMessage<SessionInfoPayload> {
  return event({ type: "session_info", ...settings, ...(by ? { by } : {}) });
}

/** Only what differs counts as a change. */
export function changeSettings(now: SessionSettings, wanted: Partial<SessionSettings>): SessionSettings | null {
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const next = { ...now, ...given };
  return JSON.stringify(next) === JSON.stringify(now) ? null : next;
}

const FALLBACK_TITLE = 30;

/** A title that nobody gave is short. */
export function shortTitle(text: string | null): string | null {
  const letters = [...(text ?? "")];
  if (letters.length === 0) return null;
  return letters.length <= FALLBACK_TITLE ? letters.join("") : `${letters.slice(0, FALLBACK_TITLE - 1).join("")}…`;
}
