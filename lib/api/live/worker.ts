/** The SharedWorker that owns the connection of all windows of this browser. */
import { type Post, StreamHub } from "./hub";
import type { ToHub } from "./wire";

const hub = new StreamHub();

/** The part of a SharedWorker's global that is used here; the page's own types do not know it. */
interface SharedScope {
  addEventListener(type: "connect", listener: (event: MessageEvent) => void): void;
}

(globalThis as unknown as SharedScope).addEventListener("connect", ({ ports: [port] }) => {
  if (!port) return;
  const post: Post = (batch) => port.postMessage(batch);
  port.onmessage = ({ data }: MessageEvent<ToHub>) => hub.receive(post, data);
});
