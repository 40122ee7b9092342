/** A new Session from a point of another one: own copies of Trace and scratchpad; the source stays as it is. */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/api/errors";
import type { SessionRef } from "../../lib/api/routes";
import type { OmniMessage } from "../../lib/omni/message";
import { type ForkPoint, ForkPointFinder } from "../../lib/trace/fork-point";
import { formatSessionId } from "../../lib/trace/name";
import { codeOf } from "../files";
import { newStage, placeAll } from "../placing";
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
  const stage = await newStage(host.layout, agent);
  try {
    const folder = { path: join(stage, "folder"), to: renaming.to.scratchpad };
    const copied = await copyScratchpad(renaming.from.scratchpad, folder.path);
    const copies = await copiesOf(host, ref, { session, stage }, at, point.cut, infoRecord(settings, by));
    for (const { copy } of copies) await copyTraceFile(copy, renaming);
    const files = copies.map(({ copy, to }) => ({ path: copy.target, to }));
    await placeAll(stage, { files, ...(copied ? { folder } : {}) });
  } catch (error) {
    // The source was deleted meanwhile.
    throw codeOf(error) === "ENOENT" ? new AppError("not_found") : error;
  } finally {
    await rm(stage, { recursive: true, force: true }).catch(() => {});
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

/** Earlier files whole, the last one up to the cut; dates and indexes stay. Made in `stage`, to be put at `to`. */
async function copiesOf(
  host: SessionHost,
  ref: SessionRef,
  { session, stage }: { session: string; stage: string },
  at: ForkAt,
  cut: number,
  last: OmniMessage,
): Promise<{ copy: FileCopy; to: string }[]> {
  const agent = refOfAgent(ref);
  const files = (await host.store.files(agent, ref.session)).filter(({ index }) => index <= at.file_index);
  return files.map(({ date, index, bytes }) => ({
    to: host.layout.traceFile(agent, date, session, index),
    copy: {
      source: host.layout.traceFile(agent, date, ref.session, index),
      bytes,
      target: join(stage, String(index)),
      ...(index === at.file_index ? { lines: cut } : {}),
      tail: index === at.file_index ? [last] : [],
    },
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
