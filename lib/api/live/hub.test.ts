import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveClient } from "./client";
import { type HubServer, type Refused, StreamHub } from "./hub";
import type { StreamChangeBody } from "./schemas";
import type { ServerEvent } from "./sse";
import type { FromHub, MakeLink } from "./wire";

/** A server that answers every change, and a window per call of `window`. */
function setup() {
  const connections: { event(event: Partial<ServerEvent>): void; end(status: number): void; closed: boolean }[] = [];
  const changes: StreamChangeBody[] = [];
  const answer = { status: 200, refused: [] as Refused[] };
  const server: HubServer = {
    connect: ({ onEvent, onEnd }) => {
      const connection = {
        event: (event: Partial<ServerEvent>) => onEvent({ sub: "", id: "", event: "", data: "{}", ...event }),
        end: onEnd,
        closed: false,
      };
      connections.push(connection);
      return { close: () => (connection.closed = true) };
    },
    change: async (_, body) => {
      changes.push(body);
      return { ...answer };
    },
  };
  let now = 0;
  const hub = new StreamHub(server, () => now);
  const window = () => {
    const heard: FromHub[] = [];
    const post = (batch: FromHub[]) => void heard.push(...batch);
    return {
      heard,
      open: (sub: number, session = "s", last_id = "") =>
        hub.receive(post, { type: "open", sub, target: { project: "p", agent: "a", session }, last_id }),
      send: (type: "alive" | "bye") => hub.receive(post, { type }),
      close: (sub: number) => hub.receive(post, { type: "close", sub }),
    };
  };
  const hello = async () => {
    connections.at(-1)?.event({ event: "hello", data: '{"id":"c1"}' });
    await vi.advanceTimersByTimeAsync(20);
  };
  return { connections, changes, answer, window, hello, pass: (ms: number) => (now += ms) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the owner of the connection", () => {
  it("SS14 opens one connection for eight windows and asks for their streams together", async () => {
    const { connections, changes, window, hello } = setup();
    const windows = Array.from({ length: 8 }, (_, i) => {
      const made = window();
      made.open(1, `s${i}`, i === 3 ? "e-9" : "");
      return made;
    });
    await hello();
    expect(connections).toHaveLength(1);
    expect(changes).toHaveLength(1);
    expect(changes[0]?.subscribe).toHaveLength(8);
    expect(changes[0]?.subscribe[3]).toEqual({
      sub: 4,
      project: "p",
      agent: "a",
      session: "s3",
      last_event_id: "e-9",
    });
    connections[0]?.event({ sub: "4", id: "e-10", event: "state", data: '{"state":"idle"}' });
    await vi.advanceTimersByTimeAsync(0);
    expect(windows[3]?.heard).toEqual([
      { type: "opened", sub: 1 },
      { type: "event", sub: 1, id: "e-10", event: "state", data: '{"state":"idle"}' },
    ]);
    expect(windows[2]?.heard).toEqual([{ type: "opened", sub: 1 }]);
  });

  it("subscribes and unsubscribes without connecting again; nothing comes for what was closed", async () => {
    const { connections, changes, window, hello } = setup();
    const one = window();
    one.open(1);
    await hello();
    one.open(2, "t");
    one.close(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(connections).toHaveLength(1);
    expect(changes[1]).toMatchObject({ subscribe: [{ sub: 2, session: "t" }], unsubscribe: [1] });
    one.heard.length = 0;
    connections[0]?.event({ sub: "1", id: "e-2", event: "state" });
    await vi.advanceTimersByTimeAsync(0);
    expect(one.heard).toEqual([]);
  });

  it("tells who was refused, who was closed, and everybody when the connection breaks", async () => {
    const { connections, answer, window, hello } = setup();
    const [one, two] = [window(), window()];
    one.open(1);
    two.open(1, "t");
    two.open(2, "u");
    answer.refused = [{ sub: 1, status: 404 }];
    await hello();
    expect(one.heard).toEqual([{ type: "ended", sub: 1, status: 404 }]);
    connections[0]?.event({ sub: "2", event: "closed" });
    await vi.advanceTimersByTimeAsync(0);
    expect(two.heard.at(-1)).toEqual({ type: "ended", sub: 1, status: 0 });
    connections[0]?.end(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(two.heard.at(-1)).toEqual({ type: "ended", sub: 2, status: 0 });
    two.open(3);
    expect(connections).toHaveLength(2);
  });

  it("passes a sign-in that ended on to every window", async () => {
    const { connections, answer, window, hello } = setup();
    const one = window();
    one.open(1);
    answer.status = 401;
    await hello();
    expect(one.heard).toEqual([{ type: "ended", sub: 1, status: 401 }]);
    expect(connections[0]?.closed).toBe(true);
  });

  it("lets go of windows that left, in words or without, and of a connection that nobody wants", async () => {
    const { connections, changes, window, hello, pass } = setup();
    const [one, two, three] = [window(), window(), window()];
    one.open(1);
    two.open(1, "t");
    three.open(1, "u");
    await hello();
    one.send("bye");
    pass(200_000);
    three.send("alive");
    await vi.advanceTimersByTimeAsync(20);
    expect(changes.flatMap(({ unsubscribe }) => unsubscribe)).toEqual([1, 2]);
    three.close(1);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(connections[0]?.closed).toBe(true);
  });
});

describe("a window", () => {
  it("goes to the next way when one does not work, and its streams end so that they are opened again", () => {
    const lost: ((usable: boolean) => void)[] = [];
    const sent: string[] = [];
    const way =
      (name: string): MakeLink =>
      (handlers) => {
        lost.push(handlers.lost);
        return { send: ({ type }) => void sent.push(`${name} ${type}`), close: () => {} };
      };
    const client = new LiveClient(() => [way("worker"), way("own")]);
    const ends: number[] = [];
    const handlers = { onOpen: () => {}, onEvent: () => {}, onEnd: (status: number) => void ends.push(status) };
    client.open({ project: "p" }, "", handlers);
    lost[0]?.(false);
    expect(ends).toEqual([0]);
    client.open({ project: "p" }, "", handlers);
    lost[1]?.(true);
    client.open({ project: "p" }, "", handlers);
    expect(sent).toEqual(["worker open", "own open", "own open"]);
  });

  it("notices an owner that answers no more", () => {
    const client = new LiveClient(() => [() => ({ send: () => {}, close: () => {} })]);
    const ends: number[] = [];
    client.open({ project: "p" }, "", { onOpen: () => {}, onEvent: () => {}, onEnd: (status) => ends.push(status) });
    vi.advanceTimersByTime(100_000);
    expect(ends).toEqual([0]);
  });
});
