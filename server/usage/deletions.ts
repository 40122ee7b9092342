/**
 * What deleted Sessions had cost stays in the Project's `.audit.jsonl`: a deletion refunds nothing. One line per Trace
 * file, quarter of an hour, person and model, written before the file goes; a line counts only while its file is gone.
 */
import { stat } from "node:fs/promises";
import { z } from "zod";
import type { Audit } from "../audit";
import { readText } from "../files";
import type { Layout } from "../paths";
import type { Call, SessionCalls } from "./calls";
import { type Amount, amountOf, type Deleted, type SpendingPrices } from "./spending";

const ACTION = "usage.deleted";
/** Clocks of all time zones differ by whole quarters of an hour. ms */
const SLOT = 15 * 60_000;
const MAX_BYTES = 256 * 1024 * 1024;

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
});
/** The lines that a Session leaves: calls that ran here; imported ones never counted. */
export function deletionLines(session: SessionCalls, prices: SpendingPrices): Omit<Deleted, "at">[] {
  const slots = new Map<string, Omit<Deleted, "at">>();
  for (const call of session.calls) {
    if (call.imported) continue;
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
  return { agent, session_id, file_index: call.file_index, from, user: call.user, model: call.model, ...sums };
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

export class Deletions {
  readonly #kept = new Map<string, { stamp: string; lines: Deleted[] }>();

  constructor(
    private readonly layout: Layout,
    private readonly audit: Pick<Audit, "write">,
  ) {}

  async write(project: string, by: string, lines: readonly Omit<Deleted, "at">[]): Promise<void> {
    for (const deleted of lines) {
      await this.audit.write({ by, action: ACTION, day: deleted.from.slice(0, 10), ...deleted }, project);
    }
  }

  /** Each amount once: a deletion that was cut off and done again writes its lines again. */
  async list(project: string): Promise<Deleted[]> {
    const path = this.layout.projectAudit(project);
    const info = await stat(path).catch(() => null);
    if (!info) return [];
    const stamp = `${info.ino}:${info.size}:${info.mtimeMs}`;
    const kept = this.#kept.get(path);
    if (kept?.stamp === stamp) return kept.lines;
    const found = new Map<string, Deleted>();
    for (const text of ((await readText(path, MAX_BYTES)) ?? "").split("\n")) {
      const deleted = text.includes(ACTION) ? parsed(text) : null;
      if (deleted) found.set(JSON.stringify({ ...deleted }), deleted);
    }
    const lines = [...found.values()];
    this.#kept.set(path, { stamp, lines });
    return lines;
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
