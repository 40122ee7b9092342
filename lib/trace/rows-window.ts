/** Which lines of a Trace file are read together. */

/** Physical lines per request; fewer where lines are long, so that no answer is long in the reading. */
const WINDOW = 100;
const SHORT_WINDOW = 20;
const LONG_LINES = 16 * 1024;

/** A Trace above this many bytes opens with its records: its Tasks are asked for when somebody wants to see them. */
export const QUICK_BYTES = 32 * 1024 * 1024;

export interface FileSize {
  lines: number;
  bytes: number;
}

/** Lines per window of a file. */
export function windowSize({ lines, bytes }: FileSize): number {
  return bytes > LONG_LINES * Math.max(1, lines) ? SHORT_WINDOW : WINDOW;
}

/** The state of a window that may still grow, 0 for one that is full: it is read again when its file is another. */
export function windowVersion(file: FileSize, window: number, size: number): number {
  return (window + 1) * size >= file.lines ? file.bytes : 0;
}
