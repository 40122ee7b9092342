/** Session ids and the names of Trace files and date folders. Beside `server/paths.ts` the only home of such literals. */

const GENERATED = /^session-(\d{4})-(\d{2})-(\d{2})-(\d{2})-(\d{2})-(\d{2})-[0-9a-f]{8}$/;
const ACCEPTED = /^[A-Za-z0-9_-]{1,128}$/;
const FILE = /^(.+)_(\d{3,})\.jsonl$/;
const DATE_FOLDER = /^\d{4}-\d{2}-\d{2}$/;

const pad = (value: number, digits = 2) => String(value).padStart(digits, "0");

/** `session-YYYY-MM-DD-HH-mm-ss-<8hex>`; the time is local, `hex8` makes it unique. */
export function formatSessionId(at: Date, hex8: string): string {
  const time = `${pad(at.getHours())}-${pad(at.getMinutes())}-${pad(at.getSeconds())}`;
  return `session-${dateFolder(at)}-${time}-${hex8}`;
}

/** May this string be a Session id (generated here or imported)? Anything else is 404 before a path is built. */
export function isSessionId(id: string): boolean {
  return ACCEPTED.test(id);
}

/** Local creation time told by a generated id; null for imported ids of another form. */
export function sessionIdTime(id: string): Date | null {
  const parts = GENERATED.exec(id)?.slice(1).map(Number);
  if (!parts) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return new Date(year, month - 1, day, hour, minute, second);
}

/** `<session id>_<index>.jsonl`, index from 1, three digits or more. */
export function traceFileName(sessionId: string, index: number): string {
  return `${sessionId}_${pad(index, 3)}.jsonl`;
}

/** Inverse of `traceFileName`; null for any other file name. */
export function parseTraceFileName(name: string): { session_id: string; index: number } | null {
  const match = FILE.exec(name);
  if (!match?.[1] || !match[2] || !isSessionId(match[1])) return null;
  const index = Number(match[2]);
  return index >= 1 && Number.isSafeInteger(index) ? { session_id: match[1], index } : null;
}

/** Local `yyyy-mm-dd`. */
export function dateFolder(at: Date): string {
  return `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

export function isDateFolder(name: string): boolean {
  return DATE_FOLDER.test(name);
}
