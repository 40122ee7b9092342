/**
 * What deleted Sessions had cost stays in the Project's `.audit.jsonl`: a deletion refunds nothing. One line per Trace
 * file, quarter of an hour, person and model, written before the file goes; a line counts only while its file is gone.
 */
import { open, stat } from "node:fs/promises";
import { z } from "zod";
import type { Audit } from "../audit";
import type { Layout } from "../paths";
import { type Call, keyOf, type SessionCalls } from "./session-calls";
import { type Amount, amountOf, type Deleted, type SpendingPrices } from "./spending";

const ACTION = "usage.deleted";
/** Clocks of all time zones differ by whole quarters of an hour. ms */
const SLOT = 15 * 60_000;

const line = z.object({
  action: z.literal(ACTION),
  agent: z.string(),
  session_id: z.string(),
  file_index: z.number(),
  /** Begin of the quarter of an hour; its day in UTC is told for people. */
  from: z.string(),
  user: z.string(),
  /** `<provider>/<model_id>` */
  model: z.string(),
  requests: z.number(),
  tokens: z.number(),
  /** Of Requests with a price, and the estimated input of stopped ones. */
  cost: z.number(),
  unpriced: z.number(),
  imported: z.string().optional(),
});
/** By key of the Session. The same object as long as no line was added. */
export type DeletedLines = ReadonlyMap<string, readonly Deleted[]>;

/** The lines that a Session leaves: calls that ran here; imported ones never counted. */
export function deletionLines(session: SessionCalls, prices: SpendingPrices): Omit<Deleted, "at">[] {
  const slots = new Map<string, Omit<Deleted, "at">>();
  for (const call of session.ran) {
    const from = new Date(Math.floor(call.at / SLOT) * SLOT).toISOString();
    const key = [call.file_index, from, call.user, call.model].join(" ");
    const known = slots.get(key) ?? empty(call, from);
    slots.set(key, added(known, call, amountOf(call, prices)));
  }
  return [...slots.values()];
}

function empty(call: Call, from: string): Omit<Deleted, "at"> {
  const { agent, session_id } = call.session;
  const sums = { requests: 0, tokens: 0, cost: 0, unpriced: 0 };
  const imported = call.session.imports.get(call.file_index);
  const origin = imported === undefined ? {} : { imported };
  return {
    agent,
    session_id,
    file_index: call.file_index,
    from,
    user: call.user,
    model: call.model,
    ...sums,
    ...origin,
  };
}

function added(slot: Omit<Deleted, "at">, { request }: Call, amount: Amount): Omit<Deleted, "at"> {
  return {
    ...slot,
    requests: slot.requests + 1,
    tokens: slot.tokens + (request.tokens?.total ?? 0),
    cost: slot.cost + amount.requests_usd + amount.stopped_usd,
    unpriced: slot.unpriced + amount.unpriced,
  };
}

interface Kept {
  ino: number;
  /** How far it was read: behind the last whole line. Bytes. */
  read: number;
  /** What counts for each file that went, quarter of an hour, person and model. */
  slots: Map<string, Deleted>;
  lines: DeletedLines;
}

export class Deletions {
  readonly #kept = new Map<string, Kept>();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly layout: Layout,
    private readonly audit: Pick<Audit, "write">,
  ) {}

  async write(project: string, by: string, lines: readonly Omit<Deleted, "at">[]): Promise<void> {
    for (const deleted of lines) {
      await this.audit.write({ by, action: ACTION, day: deleted.from.slice(0, 10), ...deleted }, project);
    }
  }

  /** Each amount once. Of a log that grew only the new bytes are read. */
  list(project: string): Promise<DeletedLines> {
    const result = this.#reading.then(() => this.#read(this.layout.projectAudit(project)));
    this.#reading = result.catch(() => {});
    return result;
  }

  async #read(path: string): Promise<DeletedLines> {
    const info = await stat(path).catch(() => null);
    const old = this.#kept.get(path);
    const grew = old !== undefined && info?.ino === old.ino && info.size >= old.read;
    if (grew && info.size === old.read) return old.lines;
    const kept: Kept = grew ? old : { ino: info?.ino ?? 0, read: 0, slots: new Map(), lines: NONE };
    if (!info) return NONE;
    this.#kept.set(path, kept);
    let isNew = false;
    for await (const text of wholeLines(path, kept)) {
      const deleted = text.includes(ACTION) ? parsed(text) : null;
      if (deleted && keep(kept.slots, deleted)) isNew = true;
    }
    if (isNew) kept.lines = bySession(kept.slots.values());
    return kept.lines;
  }
}

const NONE: DeletedLines = new Map();

function bySession(all: Iterable<Deleted>): DeletedLines {
  const lines = new Map<string, Deleted[]>();
  for (const line of all) {
    const key = keyOf({ agent: line.agent, session: line.session_id });
    const known = lines.get(key);
    if (known) known.push(line);
    else lines.set(key, [line]);
  }
  return lines;
}

/** A deletion that was cut off, or undone, and done again writes its lines again: what was counted last is in them. */
function keep(slots: Map<string, Deleted>, line: Deleted): boolean {
  const { agent, session_id, file_index, from, user, model, imported } = line;
  const key = JSON.stringify([agent, session_id, file_index, from, user, model, imported]);
  const before = slots.get(key);
  if (before && before.requests > line.requests) return false;
  slots.set(key, line);
  return true;
}

const PIECE = 1024 * 1024;

/** The whole lines that were not read yet; `kept.read` goes along. */
async function* wholeLines(path: string, kept: Kept): AsyncGenerator<string> {
  const file = await open(path, "r");
  try {
    for (let size = PIECE; ; ) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, kept.read);
      const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      if (end > 0) yield* buffer.toString("utf8", 0, end - 1).split("\n");
      kept.read += end;
      if (bytesRead < size) return;
      // A line that is longer than a piece.
      if (end === 0) size *= 2;
    }
  } finally {
    await file.close();
  }
}

/** null: no such line, or a damaged one. */
function parsed(text: string): Deleted | null {
  try {
    const given = line.safeParse(JSON.parse(text));
    const at = given.success ? Date.parse(given.data.from) : Number.NaN;
    if (!given.success || Number.isNaN(at)) return null;
    const { action: _, ...deleted } = given.data;
    return { ...deleted, at };
  } catch {
    return null;
  }
}
