/** What every Trace route checks after membership: numbers in the path, and that the Session may be seen. */
import { AppError } from "../../lib/api/errors";
import type { AgentRef } from "../paths";
import type { SessionFacts } from "./catalog";
import type { TraceStore } from "./store";
import { isVisible } from "./visible";

/** A number of the path, from 1; anything else is 404. */
export function positive(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new AppError("not_found");
  return Number(text);
}

/** null is 404. */
export function found<T>(value: T | null): T {
  if (value === null) throw new AppError("not_found");
  return value;
}

/** The facts of the Session of the path, if this person may see it; 404 otherwise. */
export async function readableSession(
  traces: TraceStore,
  params: AgentRef & { session: string },
  user: string,
): Promise<SessionFacts> {
  const facts = found(await traces.session(params, params.session));
  if (!(await isVisible(traces, params, facts, user))) throw new AppError("not_found");
  return facts;
}

/** The file index of the path, under the same condition. */
export async function readableTrace(
  traces: TraceStore,
  params: AgentRef & { session: string; index: string },
  user: string,
): Promise<number> {
  const index = positive(params.index);
  await readableSession(traces, params, user);
  return index;
}
