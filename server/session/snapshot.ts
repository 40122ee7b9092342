/** What a subscriber gets first. */
import type { SnapshotFrame } from "../../lib/api/frames";
import { elideMessage } from "./drive";
import type { SessionMemory } from "./memory";
import { priorOf } from "./prior";

export function snapshotOf(
  { log, recovery, engine }: SessionMemory,
  now: Pick<SnapshotFrame, "state" | "queue" | "approvals">,
): SnapshotFrame {
  const start = log.windowStart();
  const shown = log.records.slice(start);
  return {
    records: shown.map(({ address, message }) => ({ address, message: elideMessage(message) })),
    open: log.open(),
    ...now,
    prior: priorOf(log, start, engine.session_tokens),
    ...(recovery ? { recovery } : {}),
  };
}
