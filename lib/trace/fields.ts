/**
 * Reading records that nobody checked. An imported file may hold anything in a payload, and long strings come
 * shortened: every look at a member goes through here.
 */
import { isElided } from "../api/elide";
import type { OmniMessage } from "../omni/message";

export type Fields = Record<string, unknown>;

export interface Text {
  text: string;
  /** Length of the whole in bytes when this is only its head. */
  bytes?: number;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(message: OmniMessage): Fields {
  return { ...message.payload };
}

/** A string or the head of a shortened one; null for anything else. */
export function textOf(value: unknown): Text | null {
  if (typeof value === "string") return { text: value };
  return isElided(value) ? { text: value.$elided.head, bytes: value.$elided.bytes } : null;
}

export function textField(fields: Fields, name: string): string {
  return textOf(fields[name])?.text ?? "";
}

export function numberField(fields: Fields, name: string): number | null {
  const value = fields[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Does the record hold a shortened string anywhere? */
export function hasElided(value: unknown): boolean {
  if (isElided(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasElided);
}

/** Only so many characters are looked at for a line: a text may be megabytes long. */
export const HEAD = 4096;

/** The first line with something in it, without runs of spaces. */
export function firstLine(text: string, max = 240): string {
  const head = text.slice(0, HEAD).trimStart();
  const end = head.indexOf("\n");
  return (end < 0 ? head : head.slice(0, end)).replace(/\s+/g, " ").trimEnd().slice(0, max);
}
