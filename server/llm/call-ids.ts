/** Ids of tool calls: unique within a Session here, the provider's own on the wire (FF 2.3). */
import type { ToolCallPayload } from "../../lib/omni/message";

/** Some providers send no id, or the function's name as id; a Trace needs one id per call. */
export class CallIds {
  private readonly used = new Set<string>();

  constructor(used: Iterable<string> = []) {
    for (const id of used) this.used.add(id);
  }

  note(id: string): void {
    this.used.add(id);
  }

  /** The id itself when it is new, else with `#2`, `#3` …; without one, an id is made. */
  claim(given: string): string {
    const base = given || `call_${this.used.size + 1}`;
    let id = base;
    for (let n = 2; this.used.has(id); n += 1) id = `${base}#${n}`;
    this.used.add(id);
    return id;
  }
}

/** What the provider called it. */
export function wireId(id: string): string {
  return id.replace(/#\d+$/, "") || id;
}

/** The provider's own ids; where those are empty or in `taken`, ours. `taken` grows. */
export function wireCalls(
  calls: ToolCallPayload[],
  taken = new Set<string>(),
): { call: ToolCallPayload; wire: string }[] {
  return calls.map((call) => {
    let wire = wireId(call.tool_call_id);
    for (let n = 2; wire === "" || taken.has(wire); n += 1) wire = `${wireId(call.tool_call_id) || "call"}#${n}`;
    taken.add(wire);
    return { call, wire };
  });
}
