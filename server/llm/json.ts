/** Questions about parsed JSON that comes from a provider: cheap enough to ask once per token. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
/** The string, or "" for everything else. */
export function asString(value: unknown): string {
  return typeof value === "string" ? value : "";
}
/** undefined: not JSON. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
/** EN6: only a JSON object is a set of arguments. */
export function isArgumentObject(text: string): boolean {
  return isObject(parseJson(text)?.value);
}
