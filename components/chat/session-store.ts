/**
 * What one open conversation knows: the event stream folded into a transcript and the runtime state around it.
 * No React. Listeners hear at most once per animation frame.
 *
 *   connecting ──open──> live ──broken──> reconnecting ──open──> live
 *        └──401──> signed_out   └──403, 404──> gone       hidden for a while: paused ──shown──> connecting
 */
import { ask } from "@/lib/api/client";
import {
  type ApprovalDecided,
  type ApprovalRequest,
  type Frame,
  type Opening,
  type PresentPerson,
  parseEventId,
  type QueuedMessage,
  type StateFrame,
} from "@/lib/api/frames";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { MessagesPage } from "@/lib/api/schemas";
import type { AddressedMessage, RecordAddress } from "@/lib/omni/message";
import { EMPTY, prepend, push, start } from "@/lib/trace/transcript";
import type { Transcript } from "@/lib/trace/transcript-items";
import { type OpenStream, openStream } from "./event-stream";
import { Pacer } from "./pacer";
import { portion } from "./portion";

export type Connection = "connecting" | "live" | "reconnecting" | "paused" | "signed_out" | "gone";

export interface SessionState {
  transcript: Transcript;
  run: StateFrame;
  queue: readonly QueuedMessage[];
  /** Who looks at it now, this person included. */
  people: readonly PresentPerson[];
  approvals: readonly ApprovalRequest[];
  /** Ends of waits seen here, by approval id. */
  decided: Readonly<Record<string, ApprovalDecided>>;
  connection: Connection;
  /** Wall-clock ms since which the connection is broken. */
  broken_since: number | null;
  /** The first snapshot is there. */
  loaded: boolean;
  /** The server restarted while a Task ran in front of this reader. */
  restarted: boolean;
  older: "idle" | "loading" | "failed";
}

const INITIAL: SessionState = {
  transcript: EMPTY,
  run: { state: "idle" },
  queue: [],
  people: [],
  approvals: [],
  decided: {},
  connection: "connecting",
  broken_since: null,
  loaded: false,
  restarted: false,
  older: "idle",
};

/** A hidden page gives its connection back: a browser has only six per host. Milliseconds. */
const HIDDEN_GRACE_MS = 4_000;
const RETRY_MS = [300, 1_000, 2_000, 4_000, 8_000];
const OLDER_LIMIT = 200;
/** Those that have been used. */
const OPENED = new WeakSet<Promise<string | null>>();

/** `streamed`: it came over the stream, and nobody asked for it just now. */
type Listener = (streamed: boolean) => void;

export class SessionStore {
  private state = INITIAL;
  private readonly listeners = new Set<Listener>();
  private pending: { id: string; frame: Frame }[] = [];
  private readonly pacer = new Pacer(() => this.draw());
  private stream: { close: () => void } | null = null;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  private attempts = 0;
  private lastId = "";
  /** Every record seen, oldest first: what a fresh snapshot is joined to. */
  private records: AddressedMessage[] = [];

  constructor(
    readonly ref: SessionRef,
    private readonly open: OpenStream = openStream,
    /** What came with the page: the stream goes on behind it. */
    private readonly opening?: Promise<string | null>,
  ) {}

  getSnapshot = (): SessionState => this.state;

  /** Connects with the first listener, disconnects with the last. */
  subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    if (this.listeners.size === 1) this.attach();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.detach();
    };
  };

  /** Fetches the window before the first record; the same call repeats a failed attempt. */
  loadOlder = async (): Promise<void> => {
    const first = this.records[0]?.address;
    if (!first || !this.state.transcript.more || this.state.older === "loading") return;
    this.set({ older: "loading" });
    try {
      const query = `?before=${first.file_index}:${first.line}&limit=${OLDER_LIMIT}`;
      const page = await ask<MessagesPage>(routes.messages(this.ref) + query);
      this.flush();
      this.records = [...page.records, ...this.records];
      this.set({
        older: "idle",
        transcript: prepend(this.state.transcript, page.records, page.before !== undefined && page.records.length > 0),
      });
    } catch {
      this.set({ older: "failed" });
    }
  };

  /** A listener that draws in slices says when it begins; nothing more is told before `drawn`. */
  drawing(): void {
    this.pacer.begin();
  }
  drawn(): void {
    this.pacer.end();
  }

  /** The same decision may have come over the stream already. */
  noteDecision(decided: ApprovalDecided): void {
    this.set(decide(this.state, decided));
  }

  /** Connects again now instead of at the end of a wait. */
  reconnect = (): void => {
    this.attempts = 0;
    this.connect();
  };

  // ---- connection -------------------------------------------------------------------------------------------------

  private attach(): void {
    document.addEventListener("visibilitychange", this.onVisibility);
    window.addEventListener("online", this.reconnect);
    window.addEventListener("offline", this.onOffline);
    window.addEventListener("pageshow", this.onPageShow);
    this.pacer.attach();
    if (document.visibilityState === "hidden") this.set({ connection: "paused" });
    else this.begin();
  }

  private detach(): void {
    document.removeEventListener("visibilitychange", this.onVisibility);
    window.removeEventListener("online", this.reconnect);
    window.removeEventListener("offline", this.onOffline);
    window.removeEventListener("pageshow", this.onPageShow);
    this.pacer.detach();
    this.disconnect();
    clearTimeout(this.hiddenTimer);
  }

  /** With what came with the page, once: a page that comes back brings what is old by then. */
  private begin(): void {
    const { opening } = this;
    if (!opening || OPENED.has(opening)) {
      this.connect();
      return;
    }
    OPENED.add(opening);
    const go = (text: string | null) => {
      // Meanwhile the page was left, or something else has connected it.
      if (this.listeners.size === 0 || this.stream || this.retryTimer) return;
      if (text) {
        const { id, snapshot }: Opening = JSON.parse(text);
        this.set(this.apply(this.state, id, { event: "snapshot", data: snapshot }), true);
      }
      this.connect();
    };
    opening.then(go, () => go(null));
  }

  private disconnect(): void {
    clearTimeout(this.retryTimer);
    this.stream?.close();
    this.stream = null;
    this.flush();
  }

  private connect(): void {
    this.disconnect();
    const { connection } = this.state;
    if (connection === "gone" || connection === "signed_out") return;
    if (connection === "paused") this.set({ connection: this.state.loaded ? "reconnecting" : "connecting" });
    this.stream = this.open(this.ref, this.lastId, {
      onOpen: () => {
        this.attempts = 0;
        this.set({ connection: "live", broken_since: null });
      },
      onEvent: (event) => this.receive(event),
      onEnd: (status) => this.onEnd(status),
    });
  }

  private onEnd(status: number): void {
    this.stream = null;
    this.flush();
    const refused = status === 401 ? "signed_out" : status === 403 || status === 404 ? "gone" : null;
    if (refused) {
      this.set({ connection: refused, broken_since: null });
      return;
    }
    this.set({ connection: "reconnecting", broken_since: this.state.broken_since ?? Date.now(), people: [] });
    const wait = RETRY_MS[Math.min(this.attempts, RETRY_MS.length - 1)] ?? 8_000;
    this.attempts += 1;
    this.retryTimer = setTimeout(() => this.connect(), wait * (0.8 + Math.random() * 0.4));
  }

  private onOffline = (): void => {
    this.stream?.close();
    this.onEnd(0);
  };

  /** A page that comes out of the back/forward cache has a dead connection. */
  private onPageShow = (event: PageTransitionEvent): void => {
    if (event.persisted) this.reconnect();
  };

  private onVisibility = (): void => {
    clearTimeout(this.hiddenTimer);
    if (document.visibilityState === "hidden") {
      this.hiddenTimer = setTimeout(() => {
        this.disconnect();
        if (this.state.connection !== "gone" && this.state.connection !== "signed_out")
          this.set({ connection: "paused" });
      }, HIDDEN_GRACE_MS);
    } else if (this.stream === null) {
      this.reconnect();
    }
  };

  // ---- frames -----------------------------------------------------------------------------------------------------

  private receive(event: { id: string; frame: Frame }): void {
    this.pending.push(event);
    this.pacer.plan();
  }

  private draw(): void {
    this.take(portion(this.pending.map(({ frame }) => frame)));
    if (this.pending.length > 0) this.pacer.plan();
  }

  private flush = (): void => {
    this.pacer.cancel();
    this.take(this.pending.length);
  };

  private take(count: number): void {
    if (count === 0) return;
    const events = this.pending.splice(0, count);
    let next = this.state;
    for (const { id, frame } of events) next = this.apply(next, id, frame);
    this.set(next, true);
  }

  private apply(state: SessionState, id: string, frame: Frame): SessionState {
    const before = parseEventId(this.lastId)?.epoch;
    if (id) this.lastId = id;
    switch (frame.event) {
      case "snapshot": {
        const { state: run, queue, approvals } = frame.data;
        const restarted = state.run.state !== "idle" && run.state === "idle" && before !== parseEventId(id)?.epoch;
        const transcript = this.join(state.transcript, start(frame.data), frame.data.records);
        return { ...state, transcript, run, queue: queue.items, approvals, loaded: true, restarted };
      }
      case "message": {
        const { address, message } = frame.data;
        if (address) this.records.push({ address, message });
        return { ...state, transcript: push(state.transcript, frame.data) };
      }
      case "state":
        return { ...state, run: frame.data, restarted: state.restarted && frame.data.state === "idle" };
      case "queue":
        return { ...state, queue: frame.data.items };
      case "presence":
        return { ...state, people: frame.data.people };
      case "approval": {
        const { data } = frame;
        if ("decision" in data) return decide(state, data);
        return { ...state, approvals: [...state.approvals.filter((open) => open.id !== data.id), data] };
      }
    }
  }

  /** A fresh snapshot does not throw away older records that were loaded before, where the two meet. */
  private join(old: Transcript, fresh: Transcript, records: AddressedMessage[]): Transcript {
    const first = records[0]?.address;
    const meets = first ? this.records.findIndex(({ address }) => sameAddress(address, first)) : -1;
    const kept = meets > 0 ? this.records.slice(0, meets) : [];
    this.records = [...kept, ...records];
    return kept.length > 0 ? prepend(fresh, kept, old.more) : fresh;
  }

  private set(change: Partial<SessionState>, streamed = false): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener(streamed);
  }
}

function sameAddress(a: RecordAddress, b: RecordAddress): boolean {
  return a.file_index === b.file_index && a.line === b.line;
}

function decide(state: SessionState, decided: ApprovalDecided): SessionState {
  return {
    ...state,
    approvals: state.approvals.filter((open) => open.id !== decided.id),
    decided: { ...state.decided, [decided.id]: decided },
  };
}
