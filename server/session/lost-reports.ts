/**
 * Work in the background that a Trace tells of and never tells the end of: its report was lost with the process that
 * would have given it. The model is told with the next prompt, once.
 */
import type { SessionRef } from "../../lib/api/routes";
import { readBackgroundTaskDone, readContextSummary, writeBackgroundTaskDone } from "../../lib/omni/blocks";
import { isEventOf, isOwn, isPayloadOf } from "../../lib/omni/guards";
import type { AddressedMessage, OmniMessage } from "../../lib/omni/message";
import { readable } from "../../lib/omni/readable";
import { subagentId } from "./child";
import { type Loaded, loadSession, type SessionHost } from "./open";

const TAIL_CHARS = 4_000;
/** Notes stand at the end of an output. */
const NOTE_CHARS = 1_000;
const RUNS = /\[still running in the background: process_id (proc-[0-9a-f]+);/;
const WORKS = /\[subagent_id (subagent-[^:\]\s]+): [^\]]*\bruns in the background/;

export type Lost = { kind: "command" | "subagent"; id: string };

/** Pure; in the order in which they were started. */
export function unreported(records: readonly AddressedMessage[]): Lost[] {
  const open = new Map<string, Lost>();
  /** Which id a call asks about. */
  const asked = new Map<string, string>();
  for (const { message: record } of records) {
    const message = readable(record);
    if (!message || !isOwn(message)) continue;
    if (isPayloadOf(message, "tool_call")) {
      asked.set(message.payload.tool_call_id, namedId(message.payload.arguments));
    } else if (isPayloadOf(message, "tool_call_output")) {
      const { output, tool_call_id } = message.payload;
      open.delete(asked.get(tool_call_id) ?? "");
      const notes = output.slice(-NOTE_CHARS);
      const command = RUNS.exec(notes)?.[1];
      const subagent = WORKS.exec(notes)?.[1];
      if (command) open.set(command, { kind: "command", id: command });
      if (subagent) open.set(subagent, { kind: "subagent", id: subagent });
    } else if (isPayloadOf(message, "text")) {
      const done = message.payload.role === "user" ? readBackgroundTaskDone(message.payload.text) : null;
      if (done) open.delete(done.id);
    } else if (stoppedByPerson(message)) {
      // Who stops a Task stops its subagents, and they are not reported.
      for (const { kind, id } of open.values()) if (kind === "subagent") open.delete(id);
    }
  }
  return [...open.values()];
}

function namedId(text: string): string {
  return /"(?:process_id|subagent_id)"\s*:\s*"([^"\\]+)"/.exec(text)?.[1] ?? "";
}

function stoppedByPerson(message: OmniMessage): boolean {
  return (
    isEventOf(message, "abort") && (message.payload.by !== undefined || message.payload.reason === "aborted by user")
  );
}

/** The texts of the reports; what was started before a compaction is known from the file before. Never rejects. */
export async function lostReports(host: SessionHost, ref: SessionRef, loaded: Loaded): Promise<string[]> {
  const records = [...(loaded.before ?? []), ...loaded.records];
  const lost = unreported(records);
  return Promise.all(
    lost.map(({ kind, id }) => (kind === "command" ? commandLost(id) : subagentLost(host, ref, records, id))),
  );
}

function commandLost(id: string): string {
  const detail = "the server was started anew meanwhile; how it ended is not known and its unread output is gone";
  return writeBackgroundTaskDone({ kind: "command", id, status: "failed", detail });
}

/** Its own Trace tells how far it came. */
async function subagentLost(
  host: SessionHost,
  { project, agent }: SessionRef,
  records: readonly AddressedMessage[],
  id: string,
): Promise<string> {
  const pointer = records.find(
    ({ message }) => isEventOf(message, "subagent") && subagentId(message.payload.session_id) === id,
  )?.message;
  const said = { kind: "subagent", id };
  const of = pointer && isEventOf(pointer, "subagent") ? pointer.payload : null;
  const child = of && { project, agent: of.agent ?? agent, session: of.session_id };
  const loaded = child && (await loadSession(host, child).catch(() => null));
  if (!loaded) return writeBackgroundTaskDone({ ...said, status: "failed", detail: "its conversation is gone" });
  const text = lastWords([...(loaded.before ?? []), ...loaded.records]);
  if (text !== "" && !loaded.recovery?.interrupted && loaded.engine.carry_over.length === 0) {
    return writeBackgroundTaskDone({ ...said, status: "completed" }, text.slice(-TAIL_CHARS));
  }
  const detail = "the server was started anew before it was done; input_subagent goes on with it";
  return writeBackgroundTaskDone({ ...said, status: "stopped", detail }, text.slice(-TAIL_CHARS));
}

/** Its answer, when nothing came after it; a compaction behind it, and the summary that opens a context, say nothing new. */
function lastWords(records: readonly AddressedMessage[]): string {
  let [words, compacting] = ["", false];
  for (const { message: record } of records) {
    const message = readable(record);
    if (!message || !isOwn(message)) continue;
    if (isEventOf(message, "compaction_begin")) compacting = true;
    else if (isEventOf(message, "compaction_end")) compacting = false;
    else if (isEventOf(message, "abort")) words = "";
    else if (!compacting && isPayloadOf(message, "text")) {
      const { role, text } = message.payload;
      if (role === "assistant") words = text;
      else if (readContextSummary(text) === null) words = "";
    }
  }
  return words;
}
