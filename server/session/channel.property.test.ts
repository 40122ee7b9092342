import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeFrame, type SnapshotFrame } from "../../lib/api/frames";
import { model } from "../../lib/omni/build";
import type { AddressedMessage, OmniMessage } from "../../lib/omni/message";
import { SessionChannel, type Subscription } from "./channel";
import { SessionLog } from "./log";
import { Reader } from "./testing/host";

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("text" as const), text: fc.string({ minLength: 1, maxLength: 30 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("record" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("join" as const), known: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("pace" as const), who: fc.nat({ max: 3 }), ready: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("page" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("line" as const), who: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("tick" as const) }) },
);

interface Connection {
  reader: Reader;
  subscription: Subscription;
  connected: boolean;
}

/** A stream of one growing text at a time, with its complete message as the record. */
class Source {
  readonly log = new SessionLog();
  readonly channel = new SessionChannel(() => this.snapshot(), { events: 4, chars: 1_500, backlog: 600 });
  #text: string | null = null;
  #line = 0;

  snapshot(): SnapshotFrame {
    const records: AddressedMessage[] = [...this.log.records];
    const none = { cache_read: 0, cache_write: 0, output: 0, total: 0 };
    return {
      records,
      open: this.log.open(),
      state: { state: "idle" },
      queue: { items: [] },
      approvals: [],
      prior: { more: false, tokens: none, context: 0, elapsed_ms: 0, tasks: 0 },
    };
  }
  #stream(message: OmniMessage): void {
    this.log.stream(message);
    this.channel.publish({ event: "message", data: { message } });
  }
  say(text: string): void {
    const part = (event_type: "start" | "delta", value: string) =>
      model({ type: "partial_text" as const, role: "assistant" as const, text: value, event_type });
    if (this.#text === null) this.#stream(part("start", ""));
    this.#text = (this.#text ?? "") + text;
    this.#stream(part("delta", text));
  }
  finish(): void {
    this.#line += 1;
    const message = model({ type: "text" as const, role: "assistant" as const, text: this.#text ?? "none" });
    this.#text = null;
    const address = { file_index: 1, line: this.#line };
    this.log.add({ address, message });
    this.channel.publish({ event: "message", data: { address, message } });
  }
}

it("CH1, CH2: whenever somebody joins, resumes or reads slowly, what they hold at the end is the whole log, once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 120 }), async (steps) => {
      const source = new Source();
      const readers: Connection[] = [];
      const drop = (one: Connection) => {
        one.subscription.close();
        one.connected = false;
      };
      const reconnect = (one: Connection) => {
        one.reader.ready = true;
        one.connected = true;
        one.subscription = source.channel.subscribe(one.reader.ids.at(-1) ?? null, one.reader);
      };
      const join = (lastId: string | null, reader: Reader) =>
        readers.push({ reader, connected: true, subscription: source.channel.subscribe(lastId, reader) });
      join(null, new Reader());
      for (const one of steps) {
        if (one.kind === "text") source.say(one.text);
        else if (one.kind === "record") source.finish();
        else if (one.kind === "tick") await new Promise(setImmediate);
        else if (one.kind === "join") join(one.known ? "ffffffff-3" : null, new Reader());
        else if (one.kind === "page") {
          // A page brings the beginning along, and connects some time later.
          const { id, snapshot } = source.channel.opening();
          const reader = new Reader();
          reader.write(encodeFrame(id, { event: "snapshot", data: snapshot }));
          readers.push({ reader, connected: false, subscription: { drained() {}, close() {} } });
        } else if (one.kind === "line") {
          // A connection is lost; the next time it comes back and goes on from the last id it saw.
          const who = readers[one.who];
          if (who) who.connected ? drop(who) : reconnect(who);
        } else {
          const slow = readers[one.who];
          if (!slow) continue;
          slow.reader.ready = one.ready;
          if (one.ready) slow.subscription.drained();
        }
      }
      for (const one of readers) {
        if (!one.connected) reconnect(one);
        one.reader.ready = true;
        one.subscription.drained();
      }
      source.channel.flush();
      for (const { reader } of readers) {
        expect(reader.records).toEqual(JSON.parse(JSON.stringify(source.log.records)));
        expect(reader.open.map((payload) => "text" in payload && payload.text)).toEqual(
          source.log.open().map(({ payload }) => "text" in payload && payload.text),
        );
        const seen = reader.ids.map((id) => Number(id.split("-")[1]));
        expect(seen).toEqual([...seen].sort((a, b) => a - b));
      }
    }),
    { numRuns: 200 },
  );
}, 60_000);

it("deltas of one tick go out as one, and an id of another runtime gets a snapshot", async () => {
  const source = new Source();
  const reader = new Reader();
  source.channel.subscribe(null, reader);
  for (const text of ["a", "b", "c"]) source.say(text);
  await new Promise(setImmediate);
  expect(reader.frames.map(({ event }) => event)).toEqual(["snapshot", "message", "message"]);
  expect(reader.open).toMatchObject([{ text: "abc" }]);
  const late = new Reader();
  source.channel.subscribe("0123abcd-2", late);
  expect(late.frames.map(({ event }) => event)).toEqual(["snapshot"]);
  const back = new Reader();
  source.channel.subscribe(reader.ids.at(-1) ?? null, back);
  expect(back.frames).toEqual([]);
});
