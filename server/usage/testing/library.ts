/** For tests: Sessions of all kinds as Trace files below a data root, and the shortest recount that can be thought of. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PriceStamp, TokenCounts } from "../../../lib/omni/message";
import { layout } from "../../paths";

export const PRICES: Record<string, PriceStamp> = {
  "fake/small": { cache_read: 0.07, cache_write: 0.28, output: 0.42 },
  "fake/large": { cache_read: 0.3, cache_write: 3, output: 15, cache_creation: 3.75 },
};
const STAMPS: (PriceStamp | undefined)[] = [
  undefined,
  { cache_read: 0.1, cache_write: 1, output: 2 },
  { cache_read: 0.3, cache_write: 3, output: 15, cache_creation: 3.75 },
  { cache_read: 0, cache_write: 0, output: 0 },
  { cache_read: 0.123456, cache_write: 0.7654321, output: 3.1234567 },
];
const MODELS = ["fake/small", "fake/large", "fake/priceless"];
const PEOPLE = ["ann", "mia", "vic"];
const AGENTS = ["default_agent", "helper"];

/** A small generator of numbers (mulberry32): the same seed, the same library. */
export function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    chance: (share: number) => next() < share,
    one: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  };
}

export const PROJECT = "alpha";

export class Library {
  readonly #random: ReturnType<typeof random>;
  #count = 0;
  #clock: number;

  constructor(
    private readonly root: string,
    seed: number,
    /** When the first record was written. ms since 1970 */
    start: number,
  ) {
    this.#random = random(seed);
    this.#clock = start;
  }

  fill(sessions: number): void {
    while (this.#count < sessions) this.#family();
  }

  #line(type: "session_meta" | "model_msg" | "event_msg", payload: object): string {
    this.#clock += 1000 * (1 + this.#random.below(300));
    return `${JSON.stringify({ timestamp: new Date(this.#clock).toISOString(), type, payload })}\n`;
  }
  #event = (payload: object) => this.#line("event_msg", payload);
  #say = (payload: object) => this.#line("model_msg", payload);

  #id(): string {
    this.#count += 1;
    return `session-2026-07-18-11-10-22-${this.#count.toString(16).padStart(8, "0")}`;
  }

  #path(agent: string, id: string, index: number): string {
    return layout(this.root).traceFile({ project: PROJECT, agent }, "2026-07-18", id, index);
  }
  #write(agent: string, id: string, index: number, text: string): void {
    const path = this.#path(agent, id, index);
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, text);
  }

  #meta(agent: string, id: string, more: object = {}) {
    const [provider, model_id] = this.#random.one(MODELS).split("/");
    const agent_state = layout(this.root).agentState({ project: PROJECT, agent });
    return { session_id: id, provider, model_id, agent_state, created_by: this.#random.one(PEOPLE), ...more };
  }

  #usage(): TokenCounts {
    const r = this.#random;
    const [cache_read, cache_write, output] = [r.below(90_000), 1 + r.below(20_000), r.below(4_000)];
    const creation = r.chance(0.3) ? { cache_creation: r.below(cache_write) } : {};
    return { cache_read, cache_write, output, total: cache_read + cache_write + output, ...creation };
  }

  /** One Task with retries, stops, orphans, estimates and side calls. `child` is what a subagent was called. */
  #task(child?: object): string {
    const r = this.#random;
    const user = r.one(PEOPLE);
    const lines = [this.#say({ type: "text", role: "user", text: 'go "on" “now”', author: user })];
    const price = r.one(STAMPS);
    for (let n = r.below(3); n >= 0; n -= 1) {
      lines.push(this.#event({ type: "request_begin" }));
      if (r.chance(0.05)) break;
      lines.push(this.#say({ type: "text", role: "assistant", text: "…" }));
      const ending = r.one(["ok", "ok", "ok", "ok", "silent", "aborted", "timeout", "failed"]);
      if (child && n === 0) lines.push(this.#event({ type: "subagent", ...child }));
      if (ending === "ok") {
        const request = this.#usage();
        const more = { ...(price ? { price } : {}), user, ...(r.chance(0.1) ? { estimated: true } : {}) };
        lines.push(this.#event({ type: "token_usage", session: request, request, ...more }));
      }
      const completed = ending === "ok" || ending === "silent";
      const end = completed ? { status: "completed" } : { status: ending, attempt: 1, error_message: `it ${ending}` };
      lines.push(this.#event({ type: "request_end", ...end }));
      // The order of the design document's sample.
      if (r.chance(0.1)) lines.push(...lines.splice(-2).reverse());
    }
    if (r.chance(0.2)) {
      const [provider, model_id] = r.one(MODELS).split("/");
      const side = { purpose: "title", provider, model_id, request: this.#usage(), user };
      lines.push(this.#event({ type: "aux_usage", ...side, ...(price ? { price } : {}) }));
    }
    return lines.join("");
  }

  #tasks(child?: object): string {
    return Array.from({ length: 1 + this.#random.below(3) }, (_, n) => this.#task(n === 0 ? child : undefined)).join(
      "",
    );
  }

  /** A Session, perhaps with a subagent, a compaction, a fork, an import or a copy under another Agent. */
  #family(): void {
    const r = this.#random;
    const agent = r.one(AGENTS);
    const id = this.#id();
    const meta = this.#meta(agent, id);
    const head = this.#line("session_meta", meta);
    const child = r.chance(0.3) ? this.#child(agent, id) : undefined;
    const first = head + this.#tasks(child);
    this.#write(agent, id, 1, first);
    if (r.chance(0.2)) this.#compacted(agent, id, meta);
    if (r.chance(0.2)) this.#fork(agent, id, first);
    if (r.chance(0.2)) this.#imported(agent, id);
    if (r.chance(0.15)) this.#again(agent, id, first);
  }

  #child(agent: string, parent: string): object {
    const r = this.#random;
    const of = r.one(AGENTS);
    const id = this.#id();
    const named = r.chance(0.5) ? { parent: { agent, session_id: parent, tool_call_id: "c1" } } : {};
    const grandchild = r.chance(0.3) ? this.#child(of, id) : undefined;
    const meta = this.#line("session_meta", this.#meta(of, id, { source: "subagent", ...named }));
    this.#write(of, id, 1, meta + this.#tasks(grandchild));
    return { session_id: id, ...(of === agent ? {} : { agent: of }) };
  }

  #compacted(agent: string, id: string, meta: object): void {
    const reason = { reason: "context", mode: "summarize" };
    const lines = [
      this.#event({ type: "compaction_begin", ...reason }),
      this.#task(),
      this.#event({ type: "compaction_end", ...reason, status: "completed" }),
    ];
    this.#write(agent, id, 1, lines.join(""));
    this.#write(agent, id, 2, this.#line("session_meta", meta) + this.#tasks());
  }

  #fork(agent: string, source: string, text: string): void {
    const id = this.#id();
    const copied = text.trimEnd().split("\n").slice(1);
    const forked_from = {
      agent,
      session_id: source,
      file_index: 1,
      line: copied.length + 1,
      copied_lines: copied.length + 1,
    };
    const meta = this.#line("session_meta", this.#meta(agent, id, { forked_from }));
    this.#write(agent, id, 1, `${meta}${copied.join("\n")}\n${this.#tasks()}`);
  }

  #imported(agent: string, id: string): void {
    const path = this.#path(agent, id, 1);
    const bytes = readFileSync(path).length;
    const mark = { session_id: id, index: 1, sha256: "0", bytes, by: "ann", at: new Date(this.#clock).toISOString() };
    appendFileSync(layout(this.root).imports({ project: PROJECT, agent }), `${JSON.stringify(mark)}\n`);
    // It went on here.
    if (this.#random.chance(0.5) && readdirSync(dirname(path)).every((name) => !name.startsWith(`${id}_002`))) {
      this.#write(agent, id, 1, this.#tasks());
    }
  }

  /** The same file came in again under another Agent, and went on there. */
  #again(agent: string, id: string, text: string): void {
    const other = AGENTS.find((name) => name !== agent) ?? agent;
    this.#write(other, id, 1, text + this.#tasks());
  }
}

export interface Recount {
  requests: number;
  tokens: TokenCounts & { cache_creation: number };
  usd: number;
  unpriced: number;
  by_model: Record<string, number>;
  by_agent: Record<string, number>;
}

/** Usage, counted over the raw files by somebody who knows the format and nothing of this program. */
export function recount(root: string): Recount {
  const sum = {
    requests: 0,
    tokens: { cache_read: 0, cache_write: 0, output: 0, total: 0, cache_creation: 0 },
    usd: 0,
    unpriced: 0,
  };
  const [by_model, by_agent, seen]: [Record<string, number>, Record<string, number>, Set<string>] = [{}, {}, new Set()];
  const agents = join(root, PROJECT, "agents");
  const files = (readdirSync(agents, { recursive: true, encoding: "utf8" }) as string[]).filter((f) =>
    /_\d+\.jsonl$/.test(f),
  );
  const records = files.sort().flatMap((file) => {
    const lines = readFileSync(join(agents, file), "utf8").split("\n").filter(Boolean);
    const { payload: meta } = JSON.parse(lines[0] ?? "");
    const agent = file.split("/")[0] ?? "";
    const home = meta.agent_state.includes(`/${agent}/`) ? 0 : 1;
    return lines.map((text, n) => ({ text, n: n + 1, meta, agent, home, name: basename(file) }));
  });
  for (const { text, n, meta, agent, name } of records.sort((a, b) => a.home - b.home)) {
    if (n <= (meta.forked_from?.copied_lines ?? 0) || seen.has(`${name}:${n}:${text}`)) continue;
    seen.add(`${name}:${n}:${text}`);
    const { type, request, price, provider = meta.provider, model_id = meta.model_id } = JSON.parse(text).payload;
    if (type === "request_begin" || type === "aux_usage") sum.requests += 1;
    if (type !== "token_usage" && type !== "aux_usage") continue;
    const { cache_read, cache_write, output, total, cache_creation = 0 } = request;
    for (const [key, value] of Object.entries({ cache_read, cache_write, output, total, cache_creation }))
      sum.tokens[key as keyof typeof sum.tokens] += value;
    by_model[`${provider}/${model_id}`] = (by_model[`${provider}/${model_id}`] ?? 0) + total;
    by_agent[agent] = (by_agent[agent] ?? 0) + total;
    const rate = price ?? PRICES[`${provider}/${model_id}`];
    if (!rate) sum.unpriced += 1;
    else
      sum.usd +=
        (cache_read * rate.cache_read +
          (cache_write - cache_creation) * rate.cache_write +
          cache_creation * (rate.cache_creation ?? rate.cache_write) +
          output * rate.output) /
        1e6;
  }
  return { ...sum, by_model, by_agent };
}

export function writeConfig(root: string): void {
  const models = Object.entries(PRICES).map(([key, price]) => {
    const [provider, model_id] = key.split("/");
    const rates = Object.entries(price).map(([name, value]) => `${name} = ${value}`);
    return `[[models]]\nprovider = "${provider}"\nmodel_id = "${model_id}"\nbase_url = "https://x.test/v1"\n[models.pricing]\n${rates.join("\n")}\n`;
  });
  const path = layout(root).projectConfig(PROJECT);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `name = "Alpha"\n\n${models.join("\n")}`);
}
