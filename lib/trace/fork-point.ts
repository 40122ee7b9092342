/** Where a Session may be forked: behind a completed Request whose calls all have outputs. Pure. */
import type { AddressedMessage } from "../omni/message";
import { Segmenter } from "./segment";
import type { Request, Task } from "./task";

/** `cut`: the last line a fork takes over. */
export type ForkPoint = { ok: true; cut: number } | { ok: false; reason: string };

/** Judges a line of one file by its records, given in order. */
export class ForkPointFinder {
  readonly #segmenter = new Segmenter();
  #type: string | null = null;

  constructor(private readonly line: number) {}

  push(record: AddressedMessage): void {
    this.#segmenter.push(record);
    if (record.address.line !== this.line) return;
    const { message } = record;
    this.#type = message.type === "session_meta" ? message.type : message.payload.type;
  }

  result(): ForkPoint {
    const { line } = this;
    if (this.#type === null) return refused(`line ${line} holds no record`);
    if (this.#type !== "request_end") return refused(`line ${line} is a ${this.#type}, not the end of a Request`);
    const found = this.#request();
    if (!found?.request.end) return refused(`the Request that ends at line ${line} was never begun`);
    if (found.task.kind === "compaction") return refused("this Request belongs to a compaction");
    const { status } = found.request.end.result;
    if (status !== "completed") return refused(`this Request did not complete, it ended as ${status}`);
    return cutBehind(found.request, found.next);
  }

  #request(): { task: Task; request: Request; next: number } | null {
    const all = this.#segmenter.tasks.flatMap((task) => task.requests.map((request) => ({ task, request })));
    const found = all.find(({ request }) => request.end?.address.line === this.line);
    if (!found) return null;
    const later = all.map(({ request }) => request.begin.address.line).filter((begin) => begin > this.line);
    return { ...found, next: Math.min(Number.POSITIVE_INFINITY, ...later) };
  }
}

/** Outputs may follow the end of their Request, but not the beginning of the next one. */
function cutBehind(request: Request, next: number): ForkPoint {
  let cut = Math.max(request.end?.address.line ?? 0, request.usage?.address.line ?? 0);
  const answered = new Set<string>();
  for (const { tool_call_id, output } of request.tools) {
    if (!output || output.address.line > next) continue;
    answered.add(tool_call_id);
    cut = Math.max(cut, output.address.line);
  }
  const missing = request.tools.find(({ tool_call_id }) => !answered.has(tool_call_id));
  return missing ? refused(`its call ${missing.tool_call_id} (${missing.name}) has no output`) : { ok: true, cut };
}

function refused(reason: string): ForkPoint {
  return { ok: false, reason };
}
