/**
 * The ways from a window to the owner of the connection: a SharedWorker; where there is none, one of the windows,
 * elected by a Web Lock; where that is missing too (both need more than an old phone on plain HTTP has), every window
 * owns a connection.
 */
import { type Post, StreamHub } from "./hub";
import type { FromHub, Link, LinkHandlers, MakeLink, ToHub } from "./wire";

const NAME = "penguin-stream";

export function links(): MakeLink[] {
  const found: MakeLink[] = [];
  if (typeof SharedWorker === "function") found.push(sharedWorker);
  if (typeof BroadcastChannel === "function" && typeof navigator === "object" && navigator.locks)
    found.push((handlers) => elected(handlers));
  return [...found, ownConnection];
}

const sharedWorker: MakeLink = ({ receive, lost }) => {
  const worker = new SharedWorker(new URL("./worker.ts", import.meta.url), { type: "module", name: NAME });
  worker.onerror = (event) => {
    event.preventDefault();
    lost(false);
  };
  worker.port.onmessage = ({ data }: MessageEvent<FromHub[]>) => receive(data);
  return { send: (message) => worker.port.postMessage(message), close: () => worker.port.close() };
};

const ownConnection: MakeLink = ({ receive }) => {
  const hub = new StreamHub();
  const post: Post = (batch) => receive(batch);
  return { send: (message) => hub.receive(post, message), close: () => hub.receive(post, { type: "bye" }) };
};

type Call =
  | { to: "owner"; from: string; message: ToHub | null }
  | { to: "all"; from: string }
  | { to: string; from: string; batch: FromHub[] | null };

/** `Call` without a message asks for the owner, without a batch answers; "all": there is a new owner. */
export function elected({ receive, lost }: LinkHandlers, makeHub = () => new StreamHub()): Link {
  const me = Math.random().toString(36).slice(2);
  const channel = new BroadcastChannel(NAME);
  const leave = new AbortController();
  const waiting: ToHub[] = [];
  let hub: StreamHub | null = null;
  let owner = false;
  const posts = new Map<string, Post>([[me, (batch) => receive(batch)]]);
  const postTo = (window: string): Post => {
    const known = posts.get(window) ?? ((batch) => channel.postMessage({ to: window, from: me, batch } satisfies Call));
    posts.set(window, known);
    return known;
  };
  const send = (message: ToHub) => {
    if (hub) hub.receive(postTo(me), message);
    else if (owner) channel.postMessage({ to: "owner", from: me, message } satisfies Call);
    else waiting.push(message);
  };
  const found = () => {
    owner = true;
    for (const message of waiting.splice(0)) send(message);
  };
  channel.onmessage = ({ data }: MessageEvent<Call>) => {
    if ("message" in data) {
      if (!hub) return;
      if (data.message) hub.receive(postTo(data.from), data.message);
      else channel.postMessage({ to: data.from, from: me, batch: null } satisfies Call);
    } else if ("batch" in data) {
      if (data.to !== me) return;
      if (data.batch) receive(data.batch);
      else found();
    } else if (owner) lost(true);
    else found();
  };
  const own = () => {
    hub = makeHub();
    channel.postMessage({ to: "all", from: me } satisfies Call);
    if (owner) lost(true);
    found();
    return new Promise<void>((resolve) => leave.signal.addEventListener("abort", () => resolve(), { once: true }));
  };
  navigator.locks.request(NAME, { signal: leave.signal }, own).catch(() => {});
  channel.postMessage({ to: "owner", from: me, message: null } satisfies Call);
  return {
    send,
    close: () => {
      send({ type: "bye" });
      leave.abort();
      channel.close();
    },
  };
}
