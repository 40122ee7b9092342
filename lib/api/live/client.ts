/** A window's side of the shared connection: opens streams, and finds another owner when the one it had is gone. */
import { links } from "./links";
import type { FromHub, Link, MakeLink, SubHandlers, Target } from "./wire";

/** How often a window says that it is there, and hears the same. Milliseconds. */
const ALIVE_MS = 20_000;
/** So many questions without an answer mean that the owner is gone. Counted, because a window that sleeps asks nothing. */
const UNANSWERED = 3;

export class LiveClient {
  readonly #subs = new Map<number, SubHandlers>();
  #count = 0;
  #link: Link | null = null;
  #ways: MakeLink[] | null = null;
  #unanswered = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly ways: () => MakeLink[] = links) {}

  /** Wakes the owner of the connection before the first stream is wanted: a worker takes its time to start. */
  warm(): void {
    this.#linked();
  }

  open(target: Target, last_id: string, handlers: SubHandlers): { close: () => void } {
    this.#count += 1;
    const sub = this.#count;
    this.#subs.set(sub, handlers);
    this.#linked().send({ type: "open", sub, target, last_id });
    return {
      close: () => {
        if (this.#subs.delete(sub)) this.#link?.send({ type: "close", sub });
      },
    };
  }

  /** The window goes: its streams end now, not when somebody notices. Should it come back, they are opened again. */
  leave(): void {
    this.#link?.send({ type: "bye" });
    this.#endAll();
  }

  #endAll(): void {
    const subs = [...this.#subs.values()];
    this.#subs.clear();
    for (const handlers of subs) handlers.onEnd(0);
  }

  #linked(): Link {
    if (this.#link) return this.#link;
    this.#ways ??= this.ways();
    const [make] = this.#ways;
    if (!make) throw new Error("There is always a way: the last one is the window's own connection.");
    const link = make({ receive: (batch) => this.#receive(batch), lost: (usable) => this.#lost(link, usable) });
    this.#link = link;
    this.#unanswered = 0;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#beat(link), ALIVE_MS);
    return link;
  }

  #beat(link: Link): void {
    if (this.#unanswered >= UNANSWERED) {
      this.#lost(link, true);
      return;
    }
    this.#unanswered += 1;
    link.send({ type: "alive" });
  }

  #lost(link: Link, usable: boolean): void {
    if (this.#link !== link) return;
    this.#link = null;
    clearInterval(this.#timer);
    if (!usable) this.#ways?.shift();
    link.close();
    this.#endAll();
  }

  #receive(batch: readonly FromHub[]): void {
    this.#unanswered = 0;
    for (const message of batch) {
      if (message.type === "alive") continue;
      const sub = this.#subs.get(message.sub);
      if (!sub) continue;
      if (message.type === "opened") sub.onOpen();
      else if (message.type === "event") sub.onEvent(message);
      else {
        this.#subs.delete(message.sub);
        sub.onEnd(message.status);
      }
    }
  }
}

let shared: LiveClient | undefined;

/** The one of this window. */
export function liveClient(): LiveClient {
  if (!shared) {
    const made = new LiveClient();
    window.addEventListener("pagehide", () => made.leave());
    shared = made;
  }
  return shared;
}

if (typeof window !== "undefined" && typeof SharedWorker === "function") liveClient().warm();
