import { appendFileSync, rmSync, statSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { finder, spellings } from "../../lib/trace/spelling";
import { assistant, event, file, meta, model, temporaryRoot, turn, user } from "./fixtures/traces";
import { type RecordQuery, searchFile } from "./search-file";

async function lines(path: string, query: RecordQuery): Promise<number[]> {
  const hits: number[] = [];
  for await (const hit of searchFile(path, statSync(path).size, query)) hits.push(hit.line);
  return hits;
}
/** JSON with every character outside of ASCII escaped, as some writers do; `all` escapes every one. */
const escaped = (text: string, all = false) =>
  text.replace(all ? /[\s\S]/g : /[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

describe("spellings: a text is found however JSON spells it", () => {
  test("any text in any spelling, with its case changed", () => {
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 8 }),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }),
    );
    fc.assert(
      fc.property(text, text, fc.boolean(), fc.boolean(), (needle, around, all, upper) => {
        const whole = around + needle + around;
        const json = all ? escaped(whole, true) : JSON.stringify(whole).slice(1, -1);
        const bytes = Buffer.from(json).toString("latin1");
        const asked = upper ? needle.toUpperCase() : needle;
        // The upper case of some letters is another text (ß: SS): a person does not find that either.
        fc.pre(finder(asked)(whole) !== null);
        const { literal, hint, escaped: any } = spellings(asked);
        const found = hint.test(bytes) ? any.test(bytes) : literal.test(bytes);
        expect(found).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("backslashes and quotes in any number, whatever holds them, however deep the JSON", () => {
    const text = fc.string({
      unit: fc.constantFrom("\\", '"', "n", "u", "a", "\n", "/", "5", "é"),
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 3 }), fc.boolean(), (needle, around, depth, all) => {
        let json = around + needle + around;
        for (let i = 1; i < depth; i++) json = JSON.stringify(json).slice(1, -1);
        json = all && depth === 1 ? escaped(json, true) : JSON.stringify(json).slice(1, -1);
        const bytes = Buffer.from(json).toString("latin1");
        const { literal, hint, escaped: any } = spellings(needle);
        expect(hint.test(bytes) ? any.test(bytes) : literal.test(bytes)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("a file full of backslashes is searched like any other", () => {
    const bytes = "\\".repeat(200_000);
    for (const asked of ["\\".repeat(40), '\\"', '"', "a\\", "\\\n", "\n\\", "\\a\\", '\\"\\"', "\\u005c"]) {
      const { literal, hint, escaped: any } = spellings(asked);
      for (const pattern of [literal, hint, any]) pattern.test(`${bytes}x${bytes}u005c${bytes}`);
    }
    expect(spellings("\\".repeat(40)).literal.test(bytes)).toBe(true);
  });

  test("letters with more than two cases: each finds the others", () => {
    for (const cases of ["Ǆǅǆ", "ΣσςΣ", "Åå"]) {
      for (const asked of cases) {
        const { literal, escaped: any } = spellings(asked);
        expect(Buffer.from(cases).toString("latin1").match(literal)).toHaveLength(cases.length);
        expect(escaped(cases).match(any)).toHaveLength(cases.length);
      }
    }
  });
});

describe("searchFile", () => {
  test("both JSON spellings of a character match, in any case; keys of records do not", async () => {
    const { put } = temporaryRoot();
    const path = put(
      file(
        meta(),
        user("Grüße an 世界"),
        escaped(user("Grüße an 世界")),
        assistant("nothing"),
        model({
          type: "tool_call",
          role: "assistant",
          name: "exec_command",
          arguments: '{"cmd":"printf \\"hi\\" 😀"}',
          tool_call_id: "c1",
        }),
        escaped(assistant("done 😀")),
      ),
    );
    expect(await lines(path, { text: "世界" })).toEqual([2, 3]);
    expect(await lines(path, { text: "GRÜSSE".replace("SS", "ß") })).toEqual([2, 3]);
    expect(await lines(path, { text: "😀" })).toEqual([5, 6]);
    expect(await lines(path, { text: 'printf "hi"' })).toEqual([5]);
    expect(await lines(path, { text: "payload" })).toEqual([]);
    expect(await lines(path, { text: "tool_call_id" })).toEqual([]);
    expect(await lines(path, { text: "secret prompt" })).toEqual([1]);
    expect(await lines(path, { text: "secret prompt", skipHeads: true })).toEqual([]);
    expect(await lines(path, { text: "(.*" })).toEqual([]);
  });

  test("tool, status and time narrow it; the output belongs to its call", async () => {
    const { put } = temporaryRoot();
    const call = (name: string, id: string) =>
      model({ type: "tool_call", role: "assistant", name, arguments: "{}", tool_call_id: id });
    const out = (id: string, output: string) =>
      model({ type: "tool_call_output", role: "user", output, tool_call_id: id });
    const late = "2030-01-01T00:00:00.000Z";
    const path = put(
      file(
        meta(),
        ...[call("read", "a"), call("write", "b"), out("b", "needle"), out("a", "a needle"), user("needle")],
        event({ type: "request_end", status: "failed", error_message: "needle" }, late),
        event({ type: "approval_decision", decision: "deny", tool_call_id: "b" }),
        event({ type: "abort", reason: null }),
      ),
    );
    expect(await lines(path, { text: "needle" })).toEqual([4, 5, 6, 7]);
    expect(await lines(path, { text: "needle", tool: "read" })).toEqual([5]);
    expect(await lines(path, { tool: "write" })).toEqual([3, 4]);
    expect(await lines(path, { status: "failed" })).toEqual([7]);
    expect(await lines(path, { status: "deny" })).toEqual([8]);
    expect(await lines(path, { status: "aborted" })).toEqual([9]);
    expect(await lines(path, { text: "needle", from: "2029-01-01" })).toEqual([7]);
  });

  test("a file that was deleted since it was found holds no hits; one that grows shows what it held then", async () => {
    const { put } = temporaryRoot();
    const path = put(file(meta(), user("needle 1")));
    const bytes = statSync(path).size;
    appendFileSync(path, file(user("needle 2")));
    const hits: number[] = [];
    for await (const hit of searchFile(path, bytes, { text: "needle" })) hits.push(hit.line);
    expect(hits).toEqual([2]);
    rmSync(path);
    for await (const hit of searchFile(path, bytes, { text: "needle" })) hits.push(hit.line);
    expect(hits).toEqual([2]);
  });

  test("line numbers are physical ones: blank, damaged and very long lines count (TR6), pieces cut anywhere", async () => {
    const { put } = temporaryRoot();
    const long = assistant("x".repeat(1_500_000));
    const path = put(
      `\ufeff${meta()}\r\n\n{"cut needle\n${long}\n${user("needle 1")}\n${long}\n\n${assistant("needle 2")}`,
    );
    expect(await lines(path, { text: "needle" })).toEqual([5, 8]);
    const many = put(
      file(
        meta(),
        ...Array.from({ length: 3000 }, (_, i) => turn(`q${i}`, i % 1000 === 7 ? "needle" : "y".repeat(700))).flat(),
      ),
    );
    expect(await lines(many, { text: "NEEDLE" })).toEqual([7, 1007, 2007].map((i) => 1 + i * 4 + 3));
  });
});
