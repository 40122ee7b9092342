/** US1: the Requests of a file, read from its bytes alone, are those of `lib/trace/segment.ts`; growing changes nothing. */
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { damage, damaged, runs, session, sessionFiles } from "../../lib/trace/fixtures/arbitrary";
import { addressed, sequence, traceText } from "../../lib/trace/fixtures/sequence";
import { segment } from "../../lib/trace/segment";
import { approvalWait } from "../../lib/trace/task";
import { UsageFile } from "./usage-scan";

const root = mkdtempSync(join(tmpdir(), "penguin-usage-scan-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let names = 0;
const fresh = () => join(root, `${++names}.jsonl`);

function stateOf(path: string) {
  const { size, mtimeMs, ino, birthtimeMs } = statSync(path);
  return { path, bytes: size, mtime_ms: mtimeMs, ino, birth_ms: birthtimeMs };
}
async function read(text: string | Uint8Array) {
  const path = fresh();
  writeFileSync(path, text);
  return new UsageFile().of(stateOf(path));
}
/** What counts of a Request. */
const shown = (requests: Awaited<ReturnType<typeof read>>["requests"]) =>
  requests.map(({ begin_line, status, tokens, waited, attempt, line, start, length, user }) => {
    return { begin_line, status, tokens, waited, attempt, line, start, length, user };
  });

it("P5 the same Requests as the segmenter finds", async () => {
  await fc.assert(
    fc.asyncProperty(session, async (notation) => {
      const messages = sequence(notation);
      const { requests } = await read(traceText(messages));
      const wanted = segment(addressed(messages))
        .flatMap((task) => task.requests)
        .map((request) => ({
          begin_line: request.begin.address.line,
          status: request.end?.result.status ?? "open",
          tokens: request.usage?.counts.request ?? null,
          waited: approvalWait(request),
        }));
      const found = requests.map(({ begin_line, status, tokens, waited }) => ({ begin_line, status, tokens, waited }));
      expect(found.sort((a, b) => (a.begin_line ?? 0) - (b.begin_line ?? 0))).toEqual(
        wanted.sort((a, b) => a.begin_line - b.begin_line),
      );
    }),
    runs(60),
  );
});

it("a file that grows byte range by byte range counts as if it had been read at once, damaged or not", async () => {
  await fc.assert(
    fc.asyncProperty(sessionFiles, damage, fc.array(fc.nat(), { maxLength: 4 }), async (notations, how, cuts) => {
      const bytes = damaged(traceText(sequence(notations.at(-1) ?? "M")), how);
      const path = fresh();
      const file = new UsageFile();
      const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
      writeFileSync(path, "");
      let at = 0;
      for (const place of places) {
        appendFileSync(path, bytes.subarray(at, place));
        at = place;
        expect(shown((await file.of(stateOf(path))).requests)).toEqual(
          shown((await read(bytes.subarray(0, place))).requests),
        );
      }
    }),
    runs(60),
  );
});

const stamp = "2026-07-18T03:11:00.000Z";
const counts = { cache_read: 1, cache_write: 2, output: 3, total: 6 };
const meta = { timestamp: stamp, type: "session_meta", payload: { session_id: "s", provider: "p", model_id: "m" } };
const event = (payload: object) => ({ timestamp: stamp, type: "event_msg", payload });
const prompt = (text: string) => ({
  timestamp: stamp,
  type: "model_msg",
  payload: { type: "text", role: "user", text, author: "ann" },
});
const REQUEST = [
  event({ type: "request_begin" }),
  event({ type: "token_usage", session: counts, request: counts }),
  event({ type: "request_end", status: "completed" }),
];

it("another program's spelling counts: spaces, other key orders, other times, CRLF, a byte order mark, no last line feed", async () => {
  const spaced = (value: object) => JSON.stringify(value).replaceAll(/([,:])(?=["{\d])/g, "$1 ");
  const swapped = ({ timestamp, type, payload }: { timestamp: string; type: string; payload: object }) =>
    JSON.stringify({ payload, type, timestamp });
  const seconds = (value: object) => JSON.stringify(value).replaceAll(".000Z", "Z");
  for (const spell of [JSON.stringify, spaced, swapped, seconds]) {
    const text = [meta, prompt("go"), ...REQUEST].map((record) => spell(record as never)).join("\r\n");
    const { requests, meta: found } = await read(`\ufeff${text}`);
    expect(found?.model_id).toBe("m");
    expect(requests).toMatchObject([{ status: "completed", tokens: counts, user: "ann", begin_line: 3 }]);
  }
});

it("what a text says is no record, however long it is and whatever it quotes", async () => {
  const quoted = JSON.stringify(REQUEST[1]);
  for (const length of [10, 20_000, 600_000, 3_000_000]) {
    const long = prompt(`${quoted}\n"author":"mallory"${"x".repeat(length)}${quoted}`);
    const text = [meta, long, ...REQUEST, long, ...REQUEST].map((record) => `${JSON.stringify(record)}\n`).join("");
    const { requests } = await read(text);
    expect(requests.map(({ tokens, user, begin_line }) => [tokens?.total, user, begin_line])).toEqual([
      [6, "ann", 3],
      [6, "ann", 7],
    ]);
  }
});

it("a file that was replaced is read anew", async () => {
  const path = fresh();
  const file = new UsageFile();
  const write = (records: object[]) =>
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  write([meta, ...REQUEST, ...REQUEST]);
  expect((await file.of(stateOf(path))).requests).toHaveLength(2);
  rmSync(path);
  write([meta, ...REQUEST]);
  expect((await file.of(stateOf(path))).requests).toHaveLength(1);
});

it("a reading that failed leaves nothing behind that would count twice", async () => {
  const path = fresh();
  const file = new UsageFile();
  const text = [meta, ...REQUEST].map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(path, text);
  await file.of(stateOf(path));
  appendFileSync(path, text);
  const grown = stateOf(path);
  rmSync(path);
  await expect(file.of(grown)).rejects.toMatchObject({ code: "ENOENT" });
  writeFileSync(path, text + text);
  expect((await file.of(stateOf(path))).requests).toHaveLength(2);
});
