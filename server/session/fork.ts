/** A new Session from a point of another one: own copies of Trace and scratchpad; the source stays as it is. */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { AppError } from "../../lib/api/errors";
import type { SessionRef } from "../../lib/api/routes";
import { type ForkPoint, ForkPointFinder } from "../../lib/trace/fork-point";
import { formatSessionId } from "../../lib/trace/name";
import { syncFolder } from "../files";
import { copyScratchpad, copyTraceFile, type FileCopy, type Renaming } from "./fork-copy";
import { requireConfirmed } from "./imported";
import { infoRecord, type SessionSettings, shortTitle } from "./info";
import { refOfAgent, type SessionHost } from "./open";
import type { Session } from "./session";

export interface ForkAt {
  file_index: number;
  /** A completed `request_end`. */
  line: number;
}

/**
 * Answers the id of the fork. Throws `invalid_fork_position` with the reason, `task_in_progress` or `compacting` while
 * the source works, `import_unconfirmed`. Of a fork that fails nothing is left.
 */
export async function forkSession(host: SessionHost, source: Session, at: ForkAt, by: string): Promise<string> {
  refuseBusy(source);
  if (source.problem?.code === "session_unrecoverable") throw new AppError(source.problem.code, source.problem.message);
  const { ref } = source;
  const agent = refOfAgent(ref);
  await requireConfirmed(host, ref, source.meta, { confirm: false, by });
  const point = await forkPoint(host, ref, at);
  if (!point.ok) throw new AppError("invalid_fork_position", `A fork cannot begin here: ${point.reason}.`);
  refuseBusy(source);
  const session = formatSessionId(new Date(), randomBytes(4).toString("hex"));
  const scratchpadOf = (id: string) => ({ session: id, scratchpad: host.layout.scratchpad(agent, id) });
  const renaming: Renaming = {
    from: scratchpadOf(ref.session),
    to: scratchpadOf(session),
    forked_from: { agent: ref.agent, session_id: ref.session, ...at },
    created_by: by,
  };
  const settings = { ...source.settings, archived: false, title: await forkTitle(host, ref, source.settings) };
  const copies = await copiesOf(host, ref, session, at, point.cut, settings, by);
  try {
    await copyScratchpad(renaming.from.scratchpad, renaming.to.scratchpad);
    for (const copy of copies) await copyTraceFile(copy, renaming);
    await syncFolder(host.layout.traces(agent));
  } catch (error) {
    for (const { target } of copies) await rm(target, { force: true }).catch(() => {});
    await rm(renaming.to.scratchpad, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
  return session;
}

function refuseBusy({ status }: Session): void {
  if (status === "compacting") throw new AppError("compacting");
  if (status !== "idle") throw new AppError("task_in_progress");
}

async function forkPoint(host: SessionHost, ref: SessionRef, { file_index, line }: ForkAt): Promise<ForkPoint> {
  const finder = new ForkPointFinder(line);
  const read = await host.store.fold(refOfAgent(ref), ref.session, file_index, (record) => finder.push(record));
  if (!read) return { ok: false, reason: `the Session has no Trace file ${file_index}` };
  return line > read.lines ? { ok: false, reason: `file ${file_index} has ${read.lines} lines` } : finder.result();
}

/** Earlier files whole, the last one up to the cut; dates and indexes stay. */
async function copiesOf(
  host: SessionHost,
  ref: SessionRef,
  session: string,
  at: ForkAt,
  cut: number,
  settings: SessionSettings,
  by: string,
): Promise<FileCopy[]> {
  const agent = refOfAgent(ref);
  const files = (await host.store.files(agent, ref.session)).filter(({ index }) => index <= at.file_index);
  return files.map(({ date, index, bytes }) => ({
    source: host.layout.traceFile(agent, date, ref.session, index),
    bytes,
    target: host.layout.traceFile(agent, date, session, index),
    ...(index === at.file_index ? { lines: cut } : {}),
    // oldest first: the newest file makes the fork complete
    tail: index === at.file_index ? [infoRecord(settings, by)] : [],
  }));
}

const NUMBERED = / \((\d+)\)$/;

/** "Title (2)", "Title (3)", … also for a fork of a fork, counted over what is called so; null: the source has no title. */
async function forkTitle(host: SessionHost, ref: SessionRef, { title }: SessionSettings): Promise<string | null> {
  const agent = refOfAgent(ref);
  const sessions = await host.store.sessions(agent);
  const own = sessions.find(({ session_id }) => session_id === ref.session);
  const name = title ?? shortTitle(own?.title_fallback ?? null);
  if (name === null) return null;
  const base = own?.meta?.forked_from ? name.replace(NUMBERED, "") : name;
  const used = sessions.flatMap(({ meta, info }) => {
    const title = meta?.forked_from ? (info?.title ?? "") : "";
    return title.replace(NUMBERED, "") === base ? Number(NUMBERED.exec(title)?.[1] ?? 1) : [];
  });
  return `${base} (${Math.max(1, ...used) + 1})`;
}
