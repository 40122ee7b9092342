/** For tests: records of a Trace, one second apart, and the files they go to. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { AgentRef, Layout } from "../../paths";

export class Records {
  readonly lines: string[] = [];
  #at: number;
  constructor(start: string) {
    this.#at = Date.parse(start);
  }
  #add(type: string, payload: object): this {
    this.lines.push(`${JSON.stringify({ timestamp: new Date(this.#at).toISOString(), type, payload })}\n`);
    this.#at += 1000;
    return this;
  }
  /** The clock moves on. ms */
  wait(ms: number): this {
    this.#at += ms;
    return this;
  }
  meta(session_id: string, more: object = {}): this {
    return this.#add("session_meta", { session_id, provider: "fake", model_id: "m", ...more });
  }
  say(payload: object): this {
    return this.#add("model_msg", payload);
  }
  event(payload: object): this {
    return this.#add("event_msg", payload);
  }
  prompt(text: string, author = "ann"): this {
    return this.say({ type: "text", role: "user", text, author });
  }
  /** A Request that completed; without `output` it told no usage. */
  request(output?: number, more: object = {}): this {
    const request = { cache_read: 3, cache_write: 1, output: output ?? 0, total: 4 + (output ?? 0) };
    this.event({ type: "request_begin" }).say({ type: "text", role: "assistant", text: "…" });
    if (output !== undefined) this.event({ type: "token_usage", session: request, request, user: "ann", ...more });
    return this.event({ type: "request_end", status: "completed" });
  }
  failed(status: string, error_message?: string): this {
    return this.event({ type: "request_begin" }).event({ type: "request_end", status, error_message, attempt: 1 });
  }
  info(more: object): this {
    const settings = { title: null, archived: false, approval_mode: "read-only", thinking_level: null };
    return this.event({ type: "session_info", ...settings, visibility: "team", ...more });
  }
  write(disk: Layout, ref: AgentRef, session: string, index = 1): void {
    const path = disk.traceFile(ref, "2026-07-18", session, index);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.lines.join(""));
  }
}
export const sid = (n: number) => `session-2026-07-18-11-10-22-${n.toString(16).padStart(8, "0")}`;
