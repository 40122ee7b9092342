/** What the loop itself writes as the Agent's last words of a Task. */

/** A Task that made as many Requests as it may. */
export function writeMaxTurns(limit: number): string {
  return `[reached max turns (${limit}); stopping]`;
}
/** The limit; null: it says something else. */
export function readMaxTurns(text: string): number | null {
  const [, limit] = /^\[reached max turns \((\d+)\); stopping\]$/.exec(text.trim()) ?? [];
  return limit === undefined ? null : Number(limit);
}
