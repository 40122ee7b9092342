/**
 * One call from start to complete message: framed (start, deltas, stop, complete), timed, aborted and bounded. The tool
 * itself only writes output and answers how it went.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { StreamMask } from "../../lib/mask";
import { model } from "../../lib/omni/build";
import type { OmniMessage, StopReason, ToolCallPayload } from "../../lib/omni/message";
import { createPrivate } from "../workspace/open";
import { type Archive, BoundOutput } from "./bound-output";
import type { Prepared, ToolResult, ToolSession } from "./tool";

/** After an abort or timeout a tool gets this long to end by itself. Milliseconds. */
const GRACE_MS = 700;
/** Deltas come at most this often. Milliseconds. */
const DELTA_GAP_MS = 25;

export interface Limits {
  /** Milliseconds; <= 0: none. */
  timeoutMs: number;
  /** Characters; <= 0: none. */
  maxOutputLength: number;
}

interface Call {
  call: ToolCallPayload;
  /** The tool with its arguments bound, or why it is not run. */
  prepared: Prepared;
  limits: Limits;
  session: ToolSession;
  signal: AbortSignal;
}

function partial(
  id: string,
  event_type: "start" | "delta" | "stop",
  output: string,
  extra: { stop_reason?: StopReason; images?: string[] } = {},
): OmniMessage {
  return model({ type: "partial_tool_call_output", role: "user", event_type, output, tool_call_id: id, ...extra });
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How a call ended, by priority: stopped, out of time, thrown, as the tool says. */
interface Ending {
  reason: StopReason;
  notes: string[];
  images?: string[];
  thrown?: true;
}

function endingOf(result: ToolResult): Ending {
  const notes = result.note ? [result.note] : [];
  return result.failed ? { reason: "failed", notes } : { reason: "completed", notes, images: result.images };
}

/** Runs a prepared tool until it ends, is stopped or runs out of time. Never rejects. */
async function settle(
  start: (signal: AbortSignal) => Promise<ToolResult>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Ending> {
  const control = new AbortController();
  let cause: "abort" | "timeout" | null = null;
  let stopped: () => void = () => {};
  const halted = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const halt = (why: "abort" | "timeout") => {
    // A person's stop wins, also when it comes second.
    if (cause !== "abort") cause = why;
    control.abort();
    stopped();
  };
  const onAbort = () => halt("abort");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = timeoutMs > 0 ? setTimeout(() => halt("timeout"), timeoutMs) : undefined;
  const running: Promise<Ending> = (
    cause ? Promise.resolve({}) : Promise.resolve().then(() => start(control.signal))
  ).then(endingOf, (error: unknown) => ({
    reason: "failed",
    thrown: true,
    notes: [`[tool error] ${error instanceof Error ? error.message : String(error)}`],
  }));
  const own = await Promise.race([
    running,
    halted.then(() => Promise.race([running, sleep(GRACE_MS).then(() => null)])),
  ]);
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  if (signal.aborted) cause = "abort";
  const notes = !own || (cause && own.thrown) ? [] : own.notes;
  if (cause === "abort") return { reason: "aborted", notes: [...notes, "[interrupted: tool aborted by user]"] };
  if (cause === "timeout") return { reason: "failed", notes: [...notes, `[tool timeout: exceeded ${timeoutMs}ms]`] };
  return own ?? { reason: "failed", notes };
}

const MOST_OF_ONE_ID = 1_000;

/** Recovery file of one call: exclusive, private, below the Session's scratchpad. */
function archiveFor(session: ToolSession, call: ToolCallPayload): Archive {
  const name = call.name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 48);
  const hash = createHash("sha256").update(call.tool_call_id).digest("hex").slice(0, 16);
  const path = join(session.layout.truncatedOutput(session.ref, session.sessionId), `${name}-${hash}.log`);
  return async ({ blocks, windows }) => {
    for (let n = 1; ; n += 1) {
      const free = n === 1 ? path : path.replace(/\.log$/, `-${n}.log`);
      const made = await createPrivate(await session.confinement.realPlace(free), blocks);
      if (made.ok) return { ok: true, path: free, windows };
      // A provider that counts its calls anew may have used the id in a context that is no longer read.
      if (made.code !== "EEXIST" || n >= MOST_OF_ONE_ID) return { ok: false, code: made.code };
    }
  };
}

const orInfinity = (limit: number) => (limit > 0 ? limit : Number.POSITIVE_INFINITY);

async function runPrepared({ call, prepared, limits, session }: Call, out: BoundOutput, signal: AbortSignal) {
  if (!prepared.ok) {
    out.write(prepared.message);
    return { failed: true };
  }
  return prepared.start({
    call,
    signal,
    out: (text) => out.write(text),
    timeoutMs: orInfinity(limits.timeoutMs),
    maxOutputLength: orInfinity(limits.maxOutputLength),
    session,
  });
}

/** The messages of one call; the last one is its complete output. Never throws. */
export async function* frameCall(given: Call): AsyncGenerator<OmniMessage, void, void> {
  const id = given.call.tool_call_id;
  const left = new AbortController();
  try {
    yield partial(id, "start", "");
    const out = new BoundOutput(given.limits.maxOutputLength, new StreamMask(given.session.secrets));
    const signal = AbortSignal.any([given.signal, left.signal]);
    let running = true;
    const ended = settle((inner) => runPrepared(given, out, inner), given.limits.timeoutMs, signal).finally(() => {
      running = false;
      out.wake();
    });
    while (running) {
      await out.changed();
      const text = out.take();
      if (text !== "") yield partial(id, "delta", text);
      await Promise.race([ended, sleep(DELTA_GAP_MS)]);
    }
    const { reason, notes, images = [] } = await ended;
    const { text, rest } = await out.finish(archiveFor(given.session, given.call), notes);
    const extra = images.length > 0 ? { images } : {};
    if (rest !== "") yield partial(id, "delta", rest);
    if (images.length > 0) yield partial(id, "delta", "", extra);
    yield partial(id, "stop", "", { stop_reason: reason });
    yield model({
      type: "tool_call_output",
      role: "user",
      output: text,
      ...extra,
      tool_call_id: id,
      stop_reason: reason,
    });
  } finally {
    // A consumer that leaves early must not leave a process behind.
    left.abort();
  }
}
