/** Nothing is counted twice (US4): equal records under several Agents, and Sessions that others started. */
import { closeSync, openSync, readSync } from "node:fs";
import type { SessionMetaPayload } from "../../lib/omni/message";
import { codeOf } from "../files";
import { Pace } from "../trace/scan";
import { type Call, type KeptSession, keyOf, ranHere, type SessionCalls } from "./session-calls";

export async function countedOnce(sessions: ReadonlyMap<string, KeptSession>) {
  const byId = new Map<string, KeptSession[]>();
  for (const session of sessions.values()) {
    const { session_id } = session.made;
    byId.set(session_id, [...(byId.get(session_id) ?? []), session]);
  }
  const pace = new Pace();
  const doubles = new Set<string>();
  for (const [id, same] of byId) {
    if (same.length > 1) {
      doubles.add(id);
      countOnce(same);
    } else {
      for (const { made } of same) {
        if (made.calls !== made.all) Object.assign(made, { calls: made.all, ran: ranHere(made.all) });
      }
    }
    if (pace.due) await pace.rest();
  }
  return { list: [...sessions.values()].map(({ made }) => made), doubles };
}

/**
 * Of byte-equal records at the same place one counts: that of the Agent its meta names, else of the first by id. What
 * ran here ran here, whichever Agent the meta of an imported copy names: by a copy nobody gets money back.
 */
function countOnce(same: KeptSession[]): void {
  const [counted, ran] = [new Set<string>(), new Set<string>()];
  const home = same.find(({ made }) => homeOf(made.meta) === made.agent);
  const inOrder = home ? [home, ...same.filter((one) => one !== home)] : same;
  for (const session of inOrder) {
    const lines = linesOf(session);
    const { made } = session;
    const keys = new Map(made.all.map((call, i) => [call, `${call.file_index}:${call.request.line}:${lines[i]}`]));
    const first = (seen: Set<string>) => (call: Call) => {
      const key = keys.get(call) ?? "";
      return !seen.has(key) && seen.add(key);
    };
    made.calls = made.all.filter(first(counted));
    made.ran = ranHere(made.all).filter(first(ran));
  }
}

function linesOf({ files, made }: KeptSession): string[] {
  const lines: string[] = [];
  for (const { found } of files) {
    const calls = made.all.filter(({ file_index }) => file_index === found.index);
    try {
      lines.push(...linesIn(found.path, calls));
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      // It vanished meanwhile: the next look does not find it.
      lines.push(...calls.map(() => ""));
    }
  }
  return lines;
}

function linesIn(path: string, calls: readonly Call[]): string[] {
  const fd = openSync(path, "r");
  try {
    return calls.map(({ request }) => {
      const bytes = Buffer.alloc(request.length);
      readSync(fd, bytes, 0, bytes.length, request.start);
      return bytes.toString("latin1");
    });
  } finally {
    closeSync(fd);
  }
}

/** FF 2.2: the Agent is the folder above `agent_state`. */
function homeOf(meta: SessionMetaPayload | null): string | undefined {
  return meta?.agent_state
    ?.split(/[/\\]+/)
    .filter(Boolean)
    .at(-2);
}

// ---- who started whom ---------------------------------------------------------------------------------------------

/** Each Session rolls up once: to what its meta names, else to the first that points to it. */
export function withRoots(sessions: SessionCalls[]): SessionCalls[] {
  const byKey = new Map(sessions.map((session) => [session.key, session]));
  const parents = parentsOf(sessions, byKey);
  for (const session of sessions) {
    const seen = new Set([session.key]);
    let root = session.key;
    let above = parents.get(root);
    for (; above !== undefined && !seen.has(above); above = parents.get(above)) {
      seen.add(above);
      root = above;
    }
    // In a circle nobody is first.
    session.root = above === undefined ? root : session.key;
    session.parent = session.root === session.key ? null : (parents.get(session.key) ?? null);
  }
  return sessions;
}

function parentsOf(sessions: SessionCalls[], byKey: ReadonlyMap<string, SessionCalls>): Map<string, string> {
  const byId = new Map<string, string>();
  for (const { key, session_id } of sessions) if (!byId.has(session_id)) byId.set(session_id, key);
  const parents = new Map<string, string>();
  for (const { key, meta } of sessions) {
    const { parent } = meta ?? {};
    const above = parent && keyOf({ agent: parent.agent, session: parent.session_id });
    if (above && above !== key && byKey.has(above)) parents.set(key, above);
  }
  for (const session of sessions) {
    for (const { agent, session_id } of session.children) {
      const near = keyOf({ agent: agent ?? session.agent, session: session_id });
      const child = byKey.has(near) ? near : byId.get(session_id);
      if (child !== undefined && child !== session.key && !parents.has(child)) parents.set(child, session.key);
    }
  }
  return parents;
}
