/** One Session as usage sees it: the model calls of its Trace files, and what of them stands in imported bytes. */
import { modelKey, NOBODY } from "../../lib/api/usage-values";
import type { SessionInfoPayload, SessionMetaPayload } from "../../lib/omni/message";
import type { CountedRequest } from "../../lib/trace/usage-fold";
import type { ImportMark } from "../trace/imports";
import type { FoundFile } from "../trace/locate";
import type { FileUsage } from "../trace/usage-scan";
import type { VisibleFacts } from "../trace/visible";

export interface Call {
  request: CountedRequest;
  session: SessionCalls;
  file_index: number;
  /** It stands in imported bytes: people named there are strangers, and budgets skip it. */
  imported: boolean;
  /** `<provider>/<model_id>` */
  model: string;
  /** User id; `file:<name>` for one named in an imported file; `-` for nobody. */
  user: string;
  /** When it counts. ms since 1970 */
  at: number;
}

export interface SessionCalls {
  /** `<agent>/<session id>` */
  key: string;
  agent: string;
  session_id: string;
  meta: SessionMetaPayload | null;
  imported: boolean;
  /** Who may see it depends on these. */
  facts: VisibleFacts;
  files: FoundFile[];
  /** What its files hold, and what of it counts here (US4). */
  all: readonly Call[];
  calls: readonly Call[];
  /** What ran here, each once whatever copies that came in say of themselves: what budgets count. */
  ran: readonly Call[];
  /** When each of its files came in from outside, as the import recorded it; those that are not named did not. */
  imports: ReadonlyMap<number, string>;
  /** Subagents that it started, with the address of the pointer. */
  children: { session_id: string; agent: string | null; file_index: number; line: number }[];
  /** Key of the Session that started it, and of the one that started it all: its own key if nobody did. */
  parent: string | null;
  root: string;
  /** How many lines of each file a fork took over. */
  copied: ReadonlyMap<number, number>;
}

export interface SessionPlace {
  agent: string;
  session: string;
}
export interface KeptFile {
  found: FoundFile;
  usage: FileUsage;
  mark: ImportMark | undefined;
}
export interface KeptSession {
  /** Tells whether anything changed since. */
  stamp: string;
  files: KeptFile[];
  made: SessionCalls;
}
export const keyOf = ({ agent, session }: SessionPlace): string => `${agent}/${session}`;

export function sessionOf(
  { agent, id, key }: { agent: string; id: string; key: string },
  files: KeptFile[],
): SessionCalls {
  const metas = files.map(({ usage }) => usage.meta);
  const meta = metas.find((one) => one !== null) ?? null;
  const imported = files.some(({ mark }) => mark !== undefined);
  const session: SessionCalls = {
    key,
    agent,
    session_id: id,
    meta,
    imported,
    facts: { session_id: id, meta, info: trustedInfo(files), imported, ...importedBy(files) },
    files: files.map(({ found }) => found),
    all: [],
    calls: [],
    ran: [],
    imports: new Map(files.flatMap(({ found, mark }) => (mark ? [[found.index, mark.at] as const] : []))),
    children: [],
    parent: null,
    root: key,
    copied: new Map(files.map(({ found, usage }) => [found.index, usage.meta?.forked_from?.copied_lines ?? 0])),
  };
  const calls: Call[] = [];
  for (const { found, usage, mark } of files) {
    const copied = usage.meta?.forked_from?.copied_lines ?? 0;
    // Where no time can be read: the day of its folder.
    let last = Date.parse(`${found.date}T00:00:00Z`);
    for (const request of usage.requests) {
      const isImported = mark !== undefined && request.start < mark.bytes;
      // What an imported file says of copied lines is not about those that were written here.
      const isCopied = (line: number) => line <= copied && (mark === undefined || isImported);
      for (const child of request.children ?? []) {
        if (isCopied(child.line)) continue;
        session.children.push({ ...child, agent: child.agent ?? null, file_index: found.index });
      }
      if (isCopied(request.line)) continue;
      last = timeOf(request) ?? last;
      const of = request.aux ?? usage.meta ?? meta;
      calls.push({
        request,
        session,
        file_index: found.index,
        imported: isImported,
        model: modelKey(short(of?.provider, 100), short(of?.model_id, 280)),
        user: userKey(request.user ?? (isImported ? null : (meta?.created_by ?? null)), isImported),
        at: last,
      });
    }
  }
  return Object.assign(session, { all: calls, calls, ran: ranHere(calls) });
}

/** Names of people and models are short; what is not would stand in every row, and in no address. */
const short = (name = "", most = 150) => (name.length > most ? `${headOf(name, most)}…` : name);
/** So many characters, without half of one at the end: that cannot stand in an address. */
export const headOf = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");

export function ranHere(calls: readonly Call[]): readonly Call[] {
  return calls.some(({ imported }) => imported) ? calls.filter(({ imported }) => !imported) : calls;
}

/** The newest settings; those inside imported bytes are not trusted. */
function trustedInfo(files: KeptFile[]): SessionInfoPayload | null {
  for (const { usage, mark } of files.toReversed()) {
    const info = usage.infos.findLast(({ start }) => mark === undefined || start >= mark.bytes);
    if (info) return info.payload;
  }
  return null;
}
function importedBy(files: KeptFile[]): { imported_by?: string } {
  const by = files.find(({ mark }) => mark)?.mark?.by;
  return by === undefined ? {} : { imported_by: by };
}

function userKey(user: string | null, imported: boolean): string {
  if (user === null) return NOBODY;
  return imported ? `file:${short(user)}` : short(user);
}

/** null: no time of it can be read. */
function timeOf({ at, end, begin }: CountedRequest): number | null {
  return [at, end, begin].find((time): time is number => time !== null && Number.isFinite(time)) ?? null;
}
