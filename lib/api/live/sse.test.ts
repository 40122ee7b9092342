import { describe, expect, it } from "vitest";
import { createParser, type ServerEvent } from "./sse";

describe("event stream parser", () => {
  it("gives the same events for every chunking; skips comments; an id belongs to its own event", () => {
    const text = `: ping\n\nsub: 7\nid: e-1\nevent: state\ndata: {"state":"idle"}\n\nevent: news\ndata: 1\n\nid: e-2\r\nevent: queue\r\ndata: {"items":[]}\r\n\r\n`;
    for (let size = 1; size <= text.length; size++) {
      const events: ServerEvent[] = [];
      const feed = createParser((event) => events.push(event));
      for (let at = 0; at < text.length; at += size) feed(text.slice(at, at + size));
      expect(events).toEqual([
        { sub: "7", id: "e-1", event: "state", data: '{"state":"idle"}' },
        { sub: "", id: "", event: "news", data: "1" },
        { sub: "", id: "e-2", event: "queue", data: '{"items":[]}' },
      ]);
    }
  });
});
