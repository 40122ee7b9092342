/**
 * Live export of finished Tasks to an OTLP/HTTP receiver, if the environment names one (`PENGUIN_OTLP_URL`). It never
 * holds up a Session: what cannot be delivered is tried again a few times and then left out; the Trace has it all.
 */
import type { SessionRef } from "../../lib/api/routes";
import { otlpDocument, type SessionSpans, spansOf } from "../trace/otlp";

export interface OtlpTarget {
  /** Where documents are posted. */
  url: string;
  headers: Record<string, string>;
  /** Texts of prompts, answers and tool calls too. */
  content: boolean;
}

interface Watched {
  /** Tasks of it that were exported, or were over before this process began. */
  done: number;
  running: boolean;
  again: boolean;
}

const TRIES = [1_000, 5_000, 30_000];
const TIMEOUT_MS = 10_000;
/** Documents on their way; more are left out. */
const MOST_UNDER_WAY = 20;

export interface LiveExportParts {
  target: OtlpTarget;
  /** Calls back when something about a Session changed. */
  watch(watcher: (ref: SessionRef) => void): void;
  /** Is a Task running there? */
  busy(ref: SessionRef): boolean;
  /** The Tasks of a Session from this one on. */
  spans(ref: SessionRef, from: number): Promise<SessionSpans | null>;
  fetch?: typeof fetch;
}

export class LiveExport {
  readonly #watched = new Map<string, Watched>();
  readonly #began = Date.now();
  #underWay = 0;

  constructor(private readonly parts: LiveExportParts) {
    parts.watch((ref) => {
      if (!parts.busy(ref)) void this.#look(ref);
    });
  }

  async #look(ref: SessionRef): Promise<void> {
    const key = `${ref.project}/${ref.agent}/${ref.session}`;
    const watched = this.#watched.get(key) ?? { done: 0, running: false, again: false };
    this.#watched.set(key, watched);
    watched.again = watched.running;
    if (watched.running) return;
    watched.running = true;
    try {
      await this.#export(ref, watched);
    } catch (error) {
      console.error(`[otlp] ${ref.session}: could not be exported:`, error instanceof Error ? error.message : error);
    } finally {
      watched.running = false;
    }
    if (watched.again && !this.parts.busy(ref)) await this.#look(ref);
  }

  async #export(ref: SessionRef, watched: Watched): Promise<void> {
    const session = await this.parts.spans(ref, watched.done);
    if (!session) return;
    const over = session.tasks.filter(({ requests }) => requests.length > 0);
    watched.done = Math.max(watched.done, ...session.tasks.map(({ index }) => index + 1));
    const fresh = over.filter(({ end }) => Date.parse(end.timestamp) >= this.#began);
    if (fresh.length > 0) await this.#post(JSON.stringify(otlpDocument(spansOf({ ...session, tasks: fresh }))));
  }

  async #post(body: string): Promise<void> {
    if (this.#underWay >= MOST_UNDER_WAY) throw new Error("the receiver is too slow; spans were left out");
    this.#underWay += 1;
    try {
      for (const wait of [...TRIES, null]) {
        if (await this.#sent(body)) return;
        if (wait === null) throw new Error("the receiver did not take the spans");
        await new Promise((resolve) => setTimeout(resolve, wait).unref());
      }
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Also true for what the receiver will never take. */
  async #sent(body: string): Promise<boolean> {
    const { url, headers } = this.parts.target;
    try {
      const answer = await (this.parts.fetch ?? fetch)(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.arrayBuffer();
      return answer.ok || (answer.status >= 400 && answer.status < 500 && answer.status !== 429);
    } catch {
      return false;
    }
  }
}
