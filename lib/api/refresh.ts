/** Lists of Sessions are read again after every change, from several places at once: one reading runs, one may wait. */

/**
 * One change is told in several ways within the first time: they are one reading. Every window hears of it at the same
 * moment, when an answer is about to begin: the second time spreads their readings. Milliseconds.
 */
const [GATHER_MS, SPREAD_MS] = [200, 800];
/** Between two readings. Milliseconds. */
const REST_MS = 300;

interface Client {
  invalidateQueries(filter: { queryKey: readonly unknown[] }): Promise<unknown>;
}

const wishes = new Map<string, "waits" | "runs" | "again">();
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads the lists of a Project again. What is asked for while that goes on is one further reading behind it. */
export async function refreshSessions(client: Client, project: string): Promise<void> {
  const now = wishes.get(project);
  if (now) {
    if (now === "runs") wishes.set(project, "again");
    return;
  }
  do {
    wishes.set(project, "waits");
    await pause(GATHER_MS + Math.random() * SPREAD_MS);
    wishes.set(project, "runs");
    await client.invalidateQueries({ queryKey: ["sessions", project] });
    await pause(REST_MS);
  } while (wishes.get(project) === "again");
  wishes.delete(project);
}
