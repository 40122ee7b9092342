/** A Trace with everything that a Trace view must show: two files, a child, retries, waiting, damage, long history. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const PARENT = "session-2026-03-02-09-00-00-0a0b0c01";
export const CHILD = "session-2026-03-02-09-00-40-0a0b0c02";
const DATE = "2026-03-02";
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Records one after the other on a clock of their own. */
export class Script {
  readonly lines: string[] = [];
  #ms: number;
  #session = { cache_read: 0, cache_write: 0, output: 0, total: 0 };

  constructor(start = Date.UTC(2026, 2, 2, 9, 0, 0)) {
    this.#ms = start;
  }
  /** Lets time pass. */
  wait(ms: number): this {
    this.#ms += ms;
    return this;
  }
  #put(type: string, payload: object): this {
    this.lines.push(JSON.stringify({ timestamp: new Date(this.#ms).toISOString(), type, payload }));
    return this;
  }
  raw(line: string): this {
    this.lines.push(line);
    return this;
  }
  meta(session_id: string, more: object = {}): this {
    return this.#put("session_meta", {
      session_id,
      provider: "demo",
      model_id: "demo",
      model_context_window: 20_000,
      system_prompt: "You are a careful agent.",
      tools: [{ name: "exec_command", description: "Runs a command.", parameters: { type: "object" } }],
      agent_state: "/nowhere/agent_state",
      workspace: "/nowhere",
      created_by: "admin",
      ...more,
    });
  }
  event(type: string, more: object = {}): this {
    return this.#put("event_msg", { type, ...more });
  }
  user(text: string, more: object = {}): this {
    return this.#put("model_msg", { type: "text", role: "user", text, ...more });
  }
  think(ms: number, thinking: string): this {
    return this.wait(ms).#put("model_msg", { type: "thinking", role: "assistant", thinking, stop_reason: "completed" });
  }
  say(ms: number, text: string): this {
    return this.wait(ms).#put("model_msg", { type: "text", role: "assistant", text, stop_reason: "completed" });
  }
  call(ms: number, id: string, name: string, args: object): this {
    const payload = { type: "tool_call", role: "assistant", name, arguments: JSON.stringify(args), tool_call_id: id };
    return this.wait(ms).#put("model_msg", { ...payload, stop_reason: "completed" });
  }
  allow(ms: number, id: string, more: object = {}): this {
    return this.wait(ms).event("approval_decision", {
      decision: "allow",
      tool_call_id: id,
      by: "admin",
      waited_ms: ms,
      ...more,
    });
  }
  output(ms: number, id: string, output: string, more: object = {}): this {
    return this.wait(ms).#put("model_msg", {
      type: "tool_call_output",
      role: "user",
      output,
      tool_call_id: id,
      ...more,
    });
  }
  begin(ms = 5): this {
    return this.wait(ms).event("request_begin");
  }
  usage(cache_read: number, cache_write: number, output: number): this {
    const request = { cache_read, cache_write, output, total: cache_read + cache_write + output };
    for (const key of ["cache_read", "cache_write", "output", "total"] as const) this.#session[key] += request[key];
    const price = { cache_read: 0.3, cache_write: 3, output: 15 };
    return this.event("token_usage", { session: { ...this.#session }, request, price, user: "admin" });
  }
  end(status = "completed", more: object = {}): this {
    return this.wait(3).event("request_end", { status, ...more });
  }
  text(): string {
    return `${this.lines.join("\n")}\n`;
  }
}

function firstFile(): string {
  const s = new Script();
  s.meta(PARENT).user("Find the slow query and fix it\n\nUse `EXPLAIN`.", { author: "admin" });
  s.begin().think(1800, "I should look at the **schema** first.").say(700, "Let me look.");
  s.call(400, "call_a", "exec_command", { cmd: "psql -c '\\d orders'" }).allow(4200, "call_a");
  s.call(200, "call_b", "exec_command", { cmd: "rg 'select' src" }).allow(900, "call_b");
  s.usage(0, 2300, 210)
    .end()
    .output(1500, "call_a", "Table orders: needle-in-output\n id | bigint")
    .output(2600, "call_b", "src/db.ts:12: select *");
  s.begin()
    .wait(3000)
    .end("timeout", { attempt: 1, retry_in_ms: 2000, error_message: "The provider did not answer in time." });
  s.wait(2000).begin(0).think(900, "The index is missing.");
  s.call(300, "call_c", "write_file", { path: "fix.sql", content: "create index on orders(customer);\n" });
  s.allow(0, "call_c", { decision: "deny", waited_ms: 2500 }).output(5, "call_c", "Tool call denied by user.", {
    stop_reason: "aborted",
  });
  s.usage(2300, 600, 150).end("completed", { attempt: 2 });
  s.begin().call(600, "call_d", "run_subagent", { prompt: "Check the migration" }).allow(300, "call_d");
  s.wait(200).event("subagent", { session_id: CHILD, agent: "default_agent" });
  s.usage(2900, 300, 80)
    .end()
    .output(6000, "call_d", "The child says: fine.", { images: [PIXEL] });
  s.raw('{"timestamp":"2026-03-02T09:01:00.000Z","type":"model_msg","payload":{"type":"te');
  s.begin()
    .say(
      1200,
      "## Done\n\n| step | state |\n|---|---|\n| index | added |\n\n```sql\ncreate index on orders(customer);\n```",
    )
    .usage(3200, 200, 300)
    .end();
  s.wait(20_000).user("Thanks. And the report?", { author: "admin" });
  s.begin().say(900, "Here is the report: 世界.").usage(16_200, 300, 120).end();
  s.wait(500).event("compaction_begin", { reason: "context", mode: "summarize", context: 16_620, turns: 5 });
  s.user("Summarise the conversation.", { sender: "harness" })
    .begin()
    .say(2200, "[summary]The index was added; the report is done.[/summary]");
  s.usage(16_000, 800, 90)
    .end()
    .wait(5)
    .event("compaction_end", { reason: "context", mode: "summarize", status: "completed", attempt: 1 });
  return s.text();
}

function secondFile(): string {
  const s = new Script(Date.UTC(2026, 2, 2, 9, 5, 0)).meta(PARENT);
  s.user("[context_summary]\nThe index was added; the report is done.\n[/context_summary]", { sender: "harness" });
  s.user("One more thing", { author: "admin" }).begin().say(1100, "Of course: last answer.").usage(100, 400, 60).end();
  return s.text();
}

function child(): string {
  const s = new Script(Date.UTC(2026, 2, 2, 9, 0, 40));
  s.meta(CHILD, { source: "subagent", parent: { agent: "default_agent", session_id: PARENT, tool_call_id: "call_d" } });
  return s
    .user("Check the migration", { sender: "parent_agent" })
    .begin()
    .say(4000, "fine")
    .usage(0, 500, 20)
    .end()
    .text();
}

/** Puts a file under an Agent of the default Project. */
export function putTrace(
  root: string,
  session: string,
  index: number,
  content: string,
  date = DATE,
  agent = "default_agent",
): string {
  const name = `${session}_${String(index).padStart(3, "0")}.jsonl`;
  const path = join(root, "default_project", "agents", agent, "traces", date, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

export function putRichTrace(root: string): { first: string; second: string; child: string } {
  return {
    first: putTrace(root, PARENT, 1, firstFile()),
    second: putTrace(root, PARENT, 2, secondFile()),
    child: putTrace(root, CHILD, 1, child()),
  };
}
