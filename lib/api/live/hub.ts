/**
 * Owns the one connection of this browser and hands every event to the window that follows it.
 *
 *   no connection ──first stream──> connecting ──hello──> open ──no stream for a while──> no connection
 *                                        └──────broken, refused: every stream ends──────────────┘
 *
 * It never connects again by itself: a stream that ended is opened anew by whoever wants it, with the last event id.
 */
import { send } from "../client";
import { routes } from "../routes";
import type { StreamChangeBody } from "./schemas";
import { openEventStream, type ServerEvent } from "./sse";
import type { FromHub, Target, ToHub } from "./wire";

/** Streams are asked for together when several windows open at once. Milliseconds. */
const GATHER_MS = 5;
/** A connection without streams is kept this long: a page that changes opens the next one at once. Milliseconds. */
const IDLE_MS = 5_000;
/** A window that was not heard of for this long is gone. Hidden windows may be slowed down to one timer a minute. */
const GONE_MS = 150_000;

export interface Refused {
  sub: number;
  status: number;
}
export interface HubServer {
  connect: (handlers: { onEvent(event: ServerEvent): void; onEnd(status: number): void }) => { close: () => void };
  /** `status` other than 200: the connection or the sign-in is gone. */
  change: (id: string, body: StreamChangeBody) => Promise<{ status: number; refused: readonly Refused[] }>;
}

const server: HubServer = {
  connect: (handlers) => openEventStream(routes.stream(), handlers),
  change: async (id, body) => {
    const result = await send<{ refused: Refused[] }>("POST", routes.streamChange(id), body);
    return result.ok ? { status: 200, refused: result.data.refused } : { status: result.error.status, refused: [] };
  },
};

export type Post = (batch: FromHub[]) => void;

interface Window {
  post: Post;
  heard: number;
  out: FromHub[];
}
interface Stream {
  window: Window;
  /** The window's own number. */
  sub: number;
  target: Target;
  last_id: string;
  state: "wanted" | "asked" | "open";
}

export class StreamHub {
  readonly #windows = new Map<Post, Window>();
  /** By the number the server knows them by: never used twice. */
  readonly #streams = new Map<number, Stream>();
  #count = 0;
  #connection: { close: () => void } | null = null;
  /** The server's name of the connection; null until it said hello. */
  #id: string | null = null;
  #dropped: number[] = [];
  #busy = false;
  #gather: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly remote: HubServer = server,
    private readonly now: () => number = Date.now,
  ) {}

  /** A message of a window. `post` is both its address and its name. */
  receive(post: Post, message: ToHub): void {
    const window = this.#windows.get(post) ?? { post, heard: 0, out: [] };
    this.#windows.set(post, window);
    window.heard = this.now();
    switch (message.type) {
      case "open":
        this.#open(window, message);
        break;
      case "close":
        for (const [key, stream] of this.#streams) {
          if (stream.window === window && stream.sub === message.sub) this.#drop(key);
        }
        break;
      case "alive":
        this.#tell(window, { type: "alive" });
        this.#sweep();
        break;
      case "bye":
        this.#leave(window);
    }
  }

  #open(window: Window, { sub, target, last_id }: Extract<ToHub, { type: "open" }>): void {
    clearTimeout(this.#idle);
    this.#count += 1;
    this.#streams.set(this.#count, { window, sub, target, last_id, state: "wanted" });
    if (!this.#connection) this.#connect();
    else this.#later();
  }

  #connect(): void {
    this.#id = null;
    const connection = this.remote.connect({
      onEvent: (event) => this.#connection === connection && this.#heard(event),
      onEnd: (status) => this.#connection === connection && this.#ended(status),
    });
    this.#connection = connection;
  }

  #heard({ sub, id, event, data }: ServerEvent): void {
    if (event === "hello") {
      this.#id = idOf(data);
      this.#later();
      return;
    }
    const key = Number(sub);
    const stream = this.#streams.get(key);
    if (!stream) return;
    if (event === "closed") {
      this.#end(key, 0);
      return;
    }
    this.#opened(stream);
    this.#tell(stream.window, { type: "event", sub: stream.sub, id, event, data });
  }

  #opened(stream: Stream): void {
    if (stream.state === "open") return;
    stream.state = "open";
    this.#tell(stream.window, { type: "opened", sub: stream.sub });
  }

  #later(): void {
    clearTimeout(this.#gather);
    this.#gather = setTimeout(() => void this.#change(), GATHER_MS);
  }

  /** Tells the server what is wanted and what is not any more; one request at a time, so that their order is kept. */
  async #change(): Promise<void> {
    const id = this.#id;
    const connection = this.#connection;
    if (!id || !connection || this.#busy) return;
    const wanted = [...this.#streams].filter(([, { state }]) => state === "wanted").slice(0, 100);
    const unsubscribe = this.#dropped.splice(0);
    if (wanted.length === 0 && unsubscribe.length === 0) return;
    for (const [, stream] of wanted) stream.state = "asked";
    const subscribe = wanted.map(([sub, { target, last_id }]) => ({
      sub,
      ...target,
      ...(last_id ? { last_event_id: last_id } : {}),
    }));
    this.#busy = true;
    const { status, refused } = await this.remote.change(id, { subscribe, unsubscribe });
    this.#busy = false;
    if (this.#connection !== connection) {
      this.#later();
      return;
    }
    if (status !== 200) {
      connection.close();
      this.#ended(status === 401 ? 401 : 0);
      return;
    }
    for (const { sub, status: why } of refused) this.#end(sub, why);
    for (const [key, stream] of wanted) if (this.#streams.has(key)) this.#opened(stream);
    this.#later();
  }

  /** The connection is gone. */
  #ended(status: number): void {
    this.#connection = null;
    this.#id = null;
    this.#dropped = [];
    clearTimeout(this.#gather);
    for (const key of [...this.#streams.keys()]) this.#end(key, status);
  }

  #end(key: number, status: number): void {
    const stream = this.#streams.get(key);
    if (!stream) return;
    this.#streams.delete(key);
    this.#tell(stream.window, { type: "ended", sub: stream.sub, status });
    this.#rest();
  }

  /** Nobody wants this stream any more. */
  #drop(key: number): void {
    const stream = this.#streams.get(key);
    if (!stream) return;
    this.#streams.delete(key);
    if (stream.state !== "wanted") {
      this.#dropped.push(key);
      this.#later();
    }
    this.#rest();
  }

  #rest(): void {
    if (this.#streams.size > 0 || !this.#connection) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#streams.size > 0) return;
      this.#connection?.close();
      this.#ended(0);
    }, IDLE_MS);
  }

  #leave(window: Window): void {
    this.#windows.delete(window.post);
    for (const [key, stream] of this.#streams) if (stream.window === window) this.#drop(key);
  }

  /** Windows that crashed said no good-bye. */
  #sweep(): void {
    for (const window of this.#windows.values()) if (this.now() - window.heard > GONE_MS) this.#leave(window);
  }

  /** What one chunk of the connection brought goes to a window in one message. */
  #tell(window: Window, message: FromHub): void {
    window.out.push(message);
    if (window.out.length > 1) return;
    queueMicrotask(() => {
      const batch = window.out;
      window.out = [];
      window.post(batch);
    });
  }
}

function idOf(data: string): string | null {
  const value: unknown = JSON.parse(data);
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" ? value.id : null;
}
