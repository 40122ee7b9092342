/** Usage of one Session, Task by Task: for the header of its conversation and the line under each answer. */
import type { SessionUsage } from "../../lib/api/usage";
import type { Request, Task } from "../../lib/trace/task";
import { Sum } from "./figures";
import type { Reading } from "./reading";
import type { Call, SessionCalls } from "./session-calls";

/** `tasks`: those of the Session, as `lib/trace/segment.ts` finds them. Zeros for a Session without a Trace. */
export function sessionUsage(reading: Reading, key: string, tasks: readonly Task[]): SessionUsage {
  const byKey = new Map(reading.sessions.map((session) => [session.key, session]));
  const session = byKey.get(key);
  const below = session ? descendants(session, reading.sessions) : [];
  const own = sumOf(reading, session?.calls ?? []);
  const total = sumOf(reading, session?.calls ?? []);
  for (const child of below) total.take(sumOf(reading, child.calls));
  const requests = new Map(session?.calls.map((call) => [placeOf(call), call]) ?? []);
  return {
    own: own.figures(),
    total: total.figures(),
    subagents: below
      .filter((child) => !reading.hidden(child.key))
      .map((child) => ({
        agent: child.agent,
        session_id: child.session_id,
        figures: sumOf(reading, child.calls).figures(),
      })),
    tasks: tasks.map((task) => taskUsage(reading, task, requests, below)),
  };
}

function sumOf(reading: Reading, calls: readonly Call[]): Sum {
  const sum = new Sum();
  for (const call of calls) sum.add(call.request, reading.priced(call));
  return sum;
}

/** The Sessions that it started, and those that they started. */
function descendants(session: SessionCalls, all: readonly SessionCalls[]): SessionCalls[] {
  const below: SessionCalls[] = [];
  for (let keys = new Set([session.key]); keys.size > 0; ) {
    const next = all.filter(({ parent }) => parent !== null && keys.has(parent));
    below.push(...next);
    keys = new Set(next.map(({ key }) => key));
  }
  return below;
}

const placeOf = ({ file_index, request }: Call) => `${file_index}:${request.begin_line}`;

function taskUsage(
  reading: Reading,
  task: Task,
  requests: ReadonlyMap<string, Call>,
  below: readonly SessionCalls[],
): SessionUsage["tasks"][number] {
  const calls = task.requests.flatMap(({ begin }) => {
    const call = requests.get(`${begin.address.file_index}:${begin.address.line}`);
    return call ? [call] : [];
  });
  const sum = sumOf(reading, calls);
  const total = sumOf(reading, calls);
  for (const child of below) {
    if (!startedBy(child, task.requests)) continue;
    for (const one of [child, ...descendants(child, below)]) total.take(sumOf(reading, one.calls));
  }
  return {
    index: task.index,
    kind: task.kind,
    from: task.start.address,
    to: task.end.address,
    figures: sum.figures(),
    total: total.figures(),
  };
}

function startedBy(child: SessionCalls, requests: readonly Request[]): boolean {
  return requests.some(({ subagents }) => subagents.some(({ session_id }) => session_id === child.session_id));
}
