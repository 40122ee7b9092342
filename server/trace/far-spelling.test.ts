import { expect, it } from "vitest";
import { elide } from "../../lib/api/elide";
import { sourceOf } from "../../lib/omni/spelling";
import { LineSplitter, LONG_BYTES } from "../../lib/trace/jsonl";
import { isFar, parseAny, parseFar } from "./far-parse";

const line = (thinking: string, fidelity: string) =>
  `{"timestamp":"2026-01-01T00:00:00.000Z","type":"model_msg","payload":{"type":"thinking","role":"assistant","thinking":${JSON.stringify(thinking)},"fidelity" : ${fidelity}}}\n`;

async function read(text: string) {
  const raw = new LineSplitter().push(new TextEncoder().encode(text))[0];
  if (!raw) throw new Error("no line");
  const parsed = await parseAny(raw);
  if (!parsed || !("message" in parsed) || parsed.message.type !== "model_msg") throw new Error("no record");
  const { payload } = parsed.message;
  if (!("fidelity" in payload) || !payload.fidelity) throw new Error("no fidelity");
  return { far: isFar(raw), source: sourceOf(payload.fidelity), value: payload.fidelity };
}

it("P2: what a window shows of a record above 2 MiB is what the whole record would be shortened to", async () => {
  const payload = {
    ...{
      type: "tool_call_output",
      tool_call_id: "a",
      output: "é😀".repeat(LONG_BYTES / 6),
      images: ["x".repeat(70_000), "short"],
    },
    ...{ odd: { deep: ["y".repeat(65_536), "y".repeat(65_537), 1, null, true], __proto__x: "z" } },
  };
  const text = `${JSON.stringify({ timestamp: "2026-01-01T00:00:00.000Z", type: "model_msg", payload })}\n`;
  const raw = new LineSplitter().push(new TextEncoder().encode(text))[0];
  if (!raw) throw new Error("no line");
  expect(isFar(raw)).toBe(true);
  expect(await parseFar(raw, "elided")).toEqual({ message: elide(JSON.parse(text)) });
});

it("RS8: a record that is parsed off the event loop keeps the spellings in its fidelity", async () => {
  const odd = '{"a\\"}": [1.0, {"b" :1e3}],"big":12345678901234567890 ,"s":"\\\\\\"{\\u00e9"}';
  const decoy = 'say "fidelity":{"a":1} \\';
  for (const size of [10, LONG_BYTES]) {
    const { far, source, value } = await read(line(decoy + "x".repeat(size), odd));
    expect([far, source]).toEqual([size === LONG_BYTES, odd]);
    expect(value).toEqual(JSON.parse(odd));
    expect((await read(line("y".repeat(size), '{"a":1,"s":"x"}'))).source).toBeUndefined();
  }
});
