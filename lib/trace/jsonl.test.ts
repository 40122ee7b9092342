import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { event, model } from "../omni/build";
import {
  encodeRecord,
  LineSplitter,
  LONG_BYTES,
  MAX_RECORD_BYTES,
  movedLine,
  parseLine,
  parseTrace,
  TraceParser,
} from "./jsonl";

const utf8 = new TextEncoder();
const record = (text: string) => encodeRecord(model({ type: "text", role: "user", text }));

function split(bytes: Uint8Array, cuts: number[]) {
  const splitter = new LineSplitter();
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const lines = at.slice(1).flatMap((to, index) => {
    const buffer = bytes.slice(at[index], to);
    const found = splitter.push(buffer).map((line) => ({ ...line, bytes: [...line.bytes] }));
    buffer.fill(0x21); // a caller may reuse its buffer
    return found;
  });
  return [...lines, ...splitter.end().map((line) => ({ ...line, bytes: [...line.bytes] }))];
}

function parseBytes(bytes: Uint8Array) {
  const parser = new TraceParser();
  parser.push(bytes);
  return parser.end();
}

/** Pieces that make trouble at a chunk border: line ends, marks, multi-byte text, invalid bytes, blank lines. */
const piece = fc.oneof(
  fc
    .constantFrom("\n", "\r\n", "\r", "\uFEFF", "\u2028", "é", "😀", "{}", "  ", "null\n")
    .map((text) => utf8.encode(text)),
  fc.string({ unit: "binary" }).map((text) => utf8.encode(record(text))),
  fc.uint8Array({ maxLength: 4 }),
);
const file = fc.array(piece, { maxLength: 12 }).map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

describe("LineSplitter", () => {
  it("gives the same lines for any chunking, and each is the bytes at its offset", () => {
    fc.assert(
      fc.property(file, fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
        const whole = split(bytes, []);
        expect(split(bytes, cuts)).toEqual(whole);
        for (const line of whole) {
          expect([...bytes.subarray(line.start, line.start + line.length)]).toEqual(line.bytes);
        }
        expect(whole.map((line) => line.line)).toEqual(whole.map((_, index) => index + 1));
      }),
    );
  });

  it("TR9: a line above the limit keeps its head and its true length, and the next line is intact", () => {
    const splitter = new LineSplitter();
    const block = new Uint8Array(8 * 1024 * 1024).fill(0x61);
    for (let sent = 0; sent <= MAX_RECORD_BYTES; sent += block.length) expect(splitter.push(block)).toEqual([]);
    const [long, next] = splitter.push(utf8.encode("\n{}\n"));
    expect(long?.length).toBe(MAX_RECORD_BYTES + block.length);
    expect(long?.bytes.length).toBeLessThan(10_000);
    expect(long && parseLine(long)).toEqual({
      error: `too large (${MAX_RECORD_BYTES + block.length} bytes)`,
      raw_head: "a".repeat(1024),
    });
    expect(next).toMatchObject({ line: 2, start: MAX_RECORD_BYTES + block.length + 1, length: 2 });
  });
});

describe("a long line comes in pieces and is the same line", () => {
  it("whatever the chunks: its bytes, its length without the line end, its place", () => {
    const line = new Uint8Array(LONG_BYTES + 5000).fill(0x61);
    const bytes = new Uint8Array([...utf8.encode("\uFEFF{}\n"), ...line, 0x0d, 0x0a, ...utf8.encode("{}\n"), ...line]);
    for (const size of [1000, 65_536, 1_000_000, bytes.length]) {
      const splitter = new LineSplitter();
      const lines = [];
      for (let at = 0; at < bytes.length; at += size) {
        const chunk = bytes.slice(at, at + size);
        const found = splitter.push(chunk);
        // What is kept must not be a view into a chunk that its owner uses again.
        for (const one of found) if (one.parts) chunk.fill(0);
        lines.push(...found.map((one) => movedLine(one, { line: 10, start: 0 })));
      }
      lines.push(...splitter.end());
      expect(lines.map(({ length }) => length)).toEqual([2, line.length, 2, line.length]);
      expect(lines[1]).toMatchObject({ line: 12, start: 6 });
      expect(lines[1]?.bytes.every((byte) => byte === 0x61)).toBe(true);
      expect(lines[1]?.bytes.length).toBe(line.length);
    }
  });
});

describe("reading a Trace", () => {
  it("parseTrace on text equals the streamed reading of its bytes", () => {
    const text = fc
      .array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("\n", "\r\n", record("a"), "\uFEFF")))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (given) => {
        expect(parseTrace(given)).toEqual(parseBytes(utf8.encode(given)));
      }),
    );
  });

  it("counts blank lines, CRLF and a byte order mark without reporting them", () => {
    const parsed = parseTrace(`\uFEFF${record("a").trim()}\r\n\r\n   \n${record("b\u2028c")}`);
    expect(parsed.records.map((entry) => entry.line)).toEqual([1, 4]);
    expect(parsed).toMatchObject({ damaged: [], lines: 4, ends_with_newline: true });
  });

  it("TR5/TR6: tells a torn tail from a hole in the middle", () => {
    const parsed = parseTrace(`${record("a")}{"half\n${record("b")}{"timestamp":"20`);
    expect(parsed.records.map((entry) => entry.line)).toEqual([1, 3]);
    expect(parsed.damaged).toMatchObject([
      { line: 2, raw_head: '{"half', last: false },
      { line: 4, raw_head: '{"timestamp":"20', last: true },
    ]);
    expect(parsed.ends_with_newline).toBe(false);
  });

  it.each([
    "null",
    "5",
    "[]",
    '"text"',
    "{}",
    '{"type":"model_msg","payload":{}}',
    '{"type":"other","payload":{"type":"text"}}',
  ])("TR6: %s is JSON but no record", (line) => {
    expect(parseTrace(`${line}\n${record("a")}`).damaged).toMatchObject([
      { line: 1, error: "not a record", last: false },
    ]);
  });

  it("TR6: invalid UTF-8 damages its own line only", () => {
    const bad = utf8.encode(record("xx"));
    bad[bad.indexOf(0x78)] = 0xff;
    const parsed = parseBytes(Uint8Array.from([...utf8.encode(record("é")), ...bad, ...utf8.encode(record("ü"))]));
    expect(parsed.damaged).toMatchObject([{ line: 2, error: "not UTF-8" }]);
    expect(parsed.records).toHaveLength(2);
  });

  it("keeps unknown payload types and fields", () => {
    const line = '{"timestamp":"t","type":"event_msg","payload":{"type":"from_the_future","x":1},"y":2}';
    const parsed = parseTrace(line);
    expect(JSON.stringify(parsed.records[0]?.message)).toBe(line);
  });

  it("an empty file has no lines and needs no healing", () => {
    expect(parseTrace("")).toEqual({ records: [], damaged: [], lines: 0, ends_with_newline: true });
  });

  it("TR4: a record is one line", () => {
    const line = encodeRecord(event({ type: "abort", reason: "a\nb\u2028" }));
    expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(parseTrace(line).records).toHaveLength(1);
  });
});

describe("nesting", () => {
  const nested = (levels: number) =>
    `{"timestamp":"t","type":"event_msg","payload":{"type":"later","deep":${"[".repeat(levels)}${"]".repeat(levels)}}}`;

  it("TR6: a record that nests too deep is damaged, whatever its depth, and a deep one is not", () => {
    expect(parseLine(nested(150))).toHaveProperty("message");
    for (const levels of [300, 50_000])
      expect(parseLine(nested(levels))).toMatchObject({ error: expect.stringContaining("nested") });
  });
});
