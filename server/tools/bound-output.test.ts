import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamMask } from "../../lib/mask";
import { type Archive, BoundOutput } from "./bound-output";
import { WindowBuffer } from "./window-buffer";

const nowhere: Archive = async () => ({ ok: true, path: "/archive", windows: false });

/** Text cut into chunks at any UTF-16 positions, also inside surrogate pairs. */
const chunked = fc
  .tuple(
    fc
      .array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("😀", "─", "\n", "a", "\ud83d")))
      .map((parts) => parts.join("")),
    fc.array(fc.nat(200)),
  )
  .map(([text, cuts]) => {
    const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
    return { text, chunks: [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length)) };
  });

async function bound(chunks: string[], limit: number, notes: string[] = []) {
  const out = new BoundOutput(limit);
  let streamed = "";
  for (const chunk of chunks) {
    out.write(chunk);
    streamed += out.take();
  }
  const { text, rest } = await out.finish(nowhere, notes);
  return { text, streamed: streamed + rest, truncated: out.truncated };
}

describe("EN8: bounded output", () => {
  it("keeps the same head for any chunking; deltas join to the output; never half a pair of a whole one", async () => {
    await fc.assert(
      fc.asyncProperty(chunked, fc.integer({ min: 1, max: 60 }), async ({ text, chunks }, limit) => {
        const pieces = await bound(chunks, limit);
        const whole = await bound([text], limit);
        expect(pieces.text).toBe(whole.text);
        expect(pieces.streamed).toBe(pieces.text);
        const truncated = text.length > limit;
        expect(pieces.truncated).toBe(truncated);
        // A head of nothing has no newline behind it.
        const head = truncated
          ? `\n${pieces.text}`.split(`\n[output truncated: exceeded ${limit} chars]`)[0]?.slice(1)
          : pieces.text;
        if (!truncated) expect(head).toBe(text === "" ? "[no output]" : text);
        else {
          expect(text.startsWith(head ?? "?")).toBe(true);
          expect(limit - (head?.length ?? 0)).toBeLessThanOrEqual(1);
          expect(/[\ud800-\udbff]$/.test(head ?? "") && /^[\udc00-\udfff]/.test(text.slice(head?.length))).toBe(false);
        }
      }),
    );
  });

  it("notes stand outside the limit: truncation, archive, then the tool's own", async () => {
    const { text } = await bound(["123456"], 3, ["[exit code: 4]", "[tool timeout: exceeded 5ms]"]);
    expect(text).toBe(
      "123\n[output truncated: exceeded 3 chars]\n[output archived: /archive]\n[exit code: 4]\n[tool timeout: exceeded 5ms]",
    );
  });

  it("a failing archive is a note with its code", async () => {
    const out = new BoundOutput(1);
    out.write("ab");
    const { text } = await out.finish(async () => ({ ok: false, code: "EEXIST" }), []);
    expect(text).toBe("a\n[output truncated: exceeded 1 chars]\n[output archive failed: EEXIST]");
  });

  it("exactly the limit is not truncated; <= 0 keeps everything", async () => {
    expect((await bound(["abc"], 3)).text).toBe("abc");
    expect((await bound(["x".repeat(100_000)], 0)).text).toHaveLength(100_000);
  });

  it("drops what is written after the end", async () => {
    const out = new BoundOutput(10);
    await out.finish(nowhere, []);
    out.write("late");
    expect(out.take()).toBe("");
  });
});

describe("recovery file content", () => {
  it("the whole text, or equal windows cut on characters", () => {
    fc.assert(
      fc.property(chunked, fc.integer({ min: 60, max: 200 }), ({ text: part }, max) => {
        const text = Buffer.from(part).toString().repeat(3);
        const buffer = new WindowBuffer(max);
        buffer.write(text);
        const { blocks, windows } = buffer.content();
        const bytes = Buffer.concat(blocks);
        const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
        expect(bytes.length).toBeLessThanOrEqual(max);
        if (!windows) {
          expect(decoded).toBe(text);
          return;
        }
        expect(Buffer.byteLength(text)).toBeGreaterThan(max - 8);
        const [head = "", tail = ""] = decoded.split("\n[archive middle truncated]\n");
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        const window = Math.floor((max - 28) / 2);
        expect(window - Buffer.byteLength(head)).toBeLessThan(4);
        expect(window - Buffer.byteLength(tail)).toBeLessThan(4);
      }),
    );
  });

  it("the same content for one big and many small writes, at constant memory", () => {
    const text = "─1😀\n".repeat(60_000);
    const one = new WindowBuffer(200_000);
    one.write(text);
    const many = new WindowBuffer(200_000);
    for (const char of text) many.write(char);
    expect(Buffer.compare(Buffer.concat(one.content().blocks), Buffer.concat(many.content().blocks))).toBe(0);
    expect(one.content().windows).toBe(true);
  });

  it("limits at 8 MiB - 1 and says so only beyond", () => {
    const buffer = new WindowBuffer();
    buffer.write("x".repeat(8 * 1024 * 1024 - 1));
    expect(buffer.content()).toMatchObject({ windows: false });
    buffer.write("y");
    const { blocks, windows } = buffer.content();
    expect(windows).toBe(true);
    expect(Buffer.concat(blocks).length).toBeLessThanOrEqual(8 * 1024 * 1024 - 1);
  });

  it("AC3: a value of the vault is masked in what is shown, and stands in the recovery file", async () => {
    const secret = "vault-value-12345";
    let archived = "";
    const out = new BoundOutput(20, new StreamMask([secret]));
    for (const chunk of ["a vault-va", "lue-12345 b", " and a long rest that is cut"]) out.write(chunk);
    const { text } = await out.finish(async ({ blocks }) => {
      archived = Buffer.concat(blocks).toString();
      return { ok: true, path: "/archive", windows: false };
    }, []);
    expect(text.split("\n")[0]).toBe("a *** b and a long r");
    expect(archived).toBe(`a ${secret} b and a long rest that is cut`);
  });
});
