/**
 * One connection that carries many event streams: any number of Sessions, and the states of Projects. A browser opens
 * one for all of its windows (it may have six connections per host on HTTP/1.1) and says over `change` what it follows.
 * Each Session's stream is the one of its own route, event for event, with `sub: <number>` in front (CH1, CH2).
 */
import { randomBytes } from "node:crypto";
import { AppError, isAppError } from "../../lib/api/errors";
import { PING } from "../../lib/api/frames";
import type { StreamChangeBody, Subscription } from "../../lib/api/live/schemas";
import { isSessionId } from "../../lib/trace/name";
import { type ProjectRoles, requireRight } from "../auth/access";
import type { Person } from "../auth/person";
import type { Streams } from "../auth/streams";
import { type AgentRef, isGenericId } from "../paths";
import { maySee } from "./access";
import { HIGH_WATER_BYTES, PING_MS, STREAM_HEADERS } from "./event-stream";
import { foundSession } from "./found";
import { projectStatus } from "./list";
import { Presence } from "./presence";
import type { SessionRegistry } from "./registry";

/** A Project's states are told at most this often. Milliseconds. */
const STATUS_MS = 100;
const MAX_STREAMS = 500;

export interface LiveParts {
  sessions: SessionRegistry;
  projects: ProjectRoles;
  agents: { exists(ref: AgentRef): Promise<boolean> };
  streams: Streams;
}

/** What a connection knows of one of its streams. */
interface Sub {
  close(): void;
  drained(): void;
  /** Asked with every ping. */
  allowed(): Promise<unknown>;
}

export class LiveStreams {
  readonly #open = new Map<string, LiveConnection>();
  readonly #presence = new Presence();

  constructor(private readonly parts: LiveParts) {}

  /** The connection; its first event names it. */
  connect(person: Person, signal: AbortSignal): Response {
    const id = randomBytes(16).toString("base64url");
    const connection = new LiveConnection(id, person, this.parts, this.#presence, () => this.#open.delete(id));
    this.#open.set(id, connection);
    return connection.response(signal);
  }

  /**
   * Ends and opens streams of a connection; answers what was refused, each with its HTTP status.
   * Throws `not_found` for a connection that is gone or another sign-in's.
   */
  async change(id: string, person: Person, body: StreamChangeBody): Promise<{ sub: number; status: number }[]> {
    const connection = this.#open.get(id);
    const { id: user, sid } = connection?.person ?? {};
    if (!connection || user !== person.id || sid !== person.sid) throw new AppError("not_found");
    for (const sub of body.unsubscribe) connection.leave(sub);
    const results = await Promise.all(body.subscribe.map((wanted) => connection.follow(wanted)));
    return body.subscribe.flatMap(({ sub }, i) => {
      const status = results[i] ?? 200;
      return status === 200 ? [] : [{ sub, status }];
    });
  }
}

class LiveConnection {
  readonly #subs = new Map<number, Sub>();
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #cleanup: (() => void)[] = [];

  constructor(
    readonly id: string,
    readonly person: Person,
    private readonly parts: LiveParts,
    private readonly presence: Presence,
    private readonly gone: () => void,
  ) {}

  response(signal: AbortSignal): Response {
    const end = () => this.#end();
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          const timer = setInterval(() => this.#ping(), PING_MS);
          const forget = this.parts.streams.add({ person: this.person, close: end });
          this.#cleanup = [() => clearInterval(timer), forget, () => signal.removeEventListener("abort", end)];
          this.#write(`event: hello\ndata: ${JSON.stringify({ id: this.id })}\n\n`);
          signal.addEventListener("abort", end);
          if (signal.aborted) end();
        },
        pull: () => this.#drained(),
        cancel: end,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES }),
    );
    return new Response(body, { headers: STREAM_HEADERS });
  }

  /** Resolves with 200, or the HTTP status of the refusal. */
  async follow(wanted: Subscription): Promise<number> {
    const { sub, project } = wanted;
    if (this.#subs.has(sub) || this.#subs.size >= MAX_STREAMS) return 400;
    const ended = { sub: false };
    let begin: Sub | null = null;
    /** What decides who may read it changed while it was being opened. */
    let again = false;
    const allowed = async () => {
      if (begin) return begin.allowed();
      again = true;
      return true;
    };
    const close = () => this.leave(sub, true);
    const forget = this.parts.streams.add({ person: this.person, project, allowed, close });
    // Known from now on, so that a right that ends meanwhile ends it too.
    this.#subs.set(sub, {
      close: () => {
        ended.sub = true;
        forget();
        begin?.close();
      },
      drained: () => begin?.drained(),
      allowed,
    });
    try {
      let start = await this.#prepare(wanted);
      while (again) {
        again = false;
        start = await this.#prepare(wanted);
      }
      if (!ended.sub && this.#controller) begin = start();
      return 200;
    } catch (error) {
      this.leave(sub);
      if (isAppError(error)) return error.status;
      throw error;
    }
  }

  /** Everything that has to wait comes first: from then on joining is one synchronous step. */
  async #prepare({ sub, project, agent, session, last_event_id }: Subscription): Promise<() => Sub> {
    if (!isGenericId(project)) throw new AppError("not_found");
    const mayRead = () => requireRight(this.parts.projects, this.person, "read", project);
    await mayRead();
    if (agent === undefined || session === undefined) return () => this.#status(sub, project, mayRead);
    const { sessions, agents } = this.parts;
    const ref = { project, agent, session };
    if (!isGenericId(agent) || !isSessionId(session)) throw new AppError("not_found");
    if (!(await agents.exists({ project, agent }))) throw new AppError("not_found");
    const found = await foundSession(sessions, ref, this.person);
    return () => {
      const subscription = found.subscribe(last_event_id ?? null, {
        write: (text) => this.#write(`sub: ${sub}\n${text}`),
        writable: () => this.#writable(),
        end: () => this.leave(sub, true),
      });
      const rise = this.presence.join(`${project}/${agent}/${session}`, this.person, (people) =>
        this.#write(`sub: ${sub}\nevent: presence\ndata: ${JSON.stringify({ people })}\n\n`),
      );
      const close = () => {
        rise();
        subscription.close();
      };
      const allowed = async () => (await mayRead()) && (await maySee(sessions, ref, this.person.id));
      return { close, drained: subscription.drained, allowed };
    };
  }

  /** States of the Project's Sessions: now, and whenever they change. */
  #status(sub: number, project: string, allowed: () => Promise<unknown>): Sub {
    const { sessions } = this.parts;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let closed = false;
    const tell = async () => {
      timer = null;
      const status = await projectStatus(sessions, project, this.person.id);
      if (!closed) this.#write(`sub: ${sub}\nevent: status\ndata: ${JSON.stringify(status)}\n\n`);
    };
    const soon = (ms: number) => {
      timer ??= setTimeout(() => void tell().catch(() => {}), ms);
    };
    const unwatch = sessions.watch((ref) => {
      if (ref.project === project) soon(STATUS_MS);
    });
    soon(0);
    const close = () => {
      closed = true;
      unwatch();
      if (timer) clearTimeout(timer);
    };
    return { close, drained: () => {}, allowed };
  }

  /** Ends one stream. `tell`: the browser does not know yet. */
  leave(sub: number, tell = false): void {
    const found = this.#subs.get(sub);
    if (!found) return;
    this.#subs.delete(sub);
    found.close();
    if (tell) this.#write(`sub: ${sub}\nevent: closed\ndata: {}\n\n`);
  }

  #ping(): void {
    this.#write(PING);
    for (const [sub, { allowed }] of this.#subs) {
      allowed().then(
        (still) => still || this.leave(sub, true),
        () => this.leave(sub, true),
      );
    }
  }

  #writable(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }

  /** Whoever was served first goes last the next time: one Session that says much starves no other. */
  #drained(): void {
    const [first] = this.#subs;
    for (const { drained } of [...this.#subs.values()]) drained();
    if (!first || this.#subs.size < 2) return;
    this.#subs.delete(first[0]);
    this.#subs.set(...first);
  }

  #end(): void {
    const controller = this.#controller;
    if (!controller) return;
    this.#controller = null;
    for (const sub of [...this.#subs.keys()]) this.leave(sub);
    for (const run of this.#cleanup) run();
    this.gone();
    try {
      controller.close();
    } catch {
      // The reader went first.
    }
  }
}
