/** Lists of Sessions are read again after every change, from several places at once: one reading runs, one may wait. */

/** Between two readings. Milliseconds. */
const REST_MS = 300;

interface Client {
  invalidateQueries(filter: { queryKey: readonly unknown[] }): Promise<unknown>;
}

const reading = new Map<string, "once" | "again">();

/** Reads the lists of a Project again. What is asked for while that goes on is one further reading behind it. */
export async function refreshSessions(client: Client, project: string): Promise<void> {
  if (reading.has(project)) {
    reading.set(project, "again");
    return;
  }
  do {
    reading.set(project, "once");
    await client.invalidateQueries({ queryKey: ["sessions", project] });
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  } while (reading.get(project) === "again");
  reading.delete(project);
}
