import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { event, model, sessionMeta } from "../../lib/omni/build";
import type { OmniMessage } from "../../lib/omni/message";
import { parseTrace } from "../../lib/trace/jsonl";
import { type Layout, layout } from "../paths";
import { nodeIo, type TraceIo } from "./trace-file";
import { isCommitPoint, LARGE_WRITE_BYTES, TraceWriter } from "./writer";

const REF = { project: "p", agent: "a" };
const SID = "session-2026-01-05-10-00-00-0123abcd";
const AT = new Date(2026, 0, 5, 10);

let root: string;
let disk: Layout;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "writer-"));
  disk = layout(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const text = (body: string, role: "user" | "assistant" = "assistant") => model({ type: "text", role, text: body });
const big = (mark: string) => text(mark.repeat(LARGE_WRITE_BYTES + 10));
const path = (index: number) => disk.traceFile(REF, "2026-01-05", SID, index);
const read = (index: number) => readFileSync(path(index), "utf8");
const texts = (index: number) =>
  parseTrace(read(index)).records.map(({ message }) => {
    if (message.type !== "model_msg" || message.payload.type !== "text") return message.payload;
    return message.payload.text.length > 50 ? message.payload.text.slice(0, 1) : message.payload.text;
  });
const create = (io?: TraceIo) => TraceWriter.create(disk, REF, SID, AT, io);

/** Puts a file in place and resumes it. */
function resumeOn(content: string, io?: TraceIo): TraceWriter {
  mkdirSync(join(path(1), ".."), { recursive: true });
  writeFileSync(path(1), content);
  const { lines, ends_with_newline } = parseTrace(content);
  return TraceWriter.resume(disk, REF, SID, { date: "2026-01-05", index: 1 }, { lines, ends_with_newline }, io);
}

/** The node calls, counted, with failures queued up in front: a number writes that many bytes and then fails. */
function faulty(...faults: (number | "zero" | "fail")[]) {
  const calls: number[] = [];
  let failing = false;
  const fail = () => {
    failing = false;
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  };
  const io: TraceIo = {
    ...nodeIo,
    write(fd, data) {
      const bytes = Buffer.from(data);
      calls.push(bytes.length);
      if (failing) return fail();
      const fault = faults.shift();
      if (fault === "zero") return 0;
      if (fault === "fail") return fail();
      if (fault === undefined) return nodeIo.write(fd, bytes);
      failing = true;
      return nodeIo.write(fd, bytes.subarray(0, fault));
    },
    writeLater: async (fd, data) => io.write(fd, data),
  };
  return { io, calls };
}

describe("what is written where (FF 3.1)", () => {
  test("TR2: meta, complete messages and events, one line each; no partials, nothing with an origin", async () => {
    const writer = create();
    const child: OmniMessage = { ...text("of a child"), origin: ["session-x"] };
    const addresses = await writer.append([
      sessionMeta({ session_id: SID }),
      model({ type: "partial_text", role: "assistant", event_type: "delta", text: "t" }),
      text("hello", "user"),
      child,
      event({ type: "subagent", session_id: "session-x" }),
    ]);
    expect(addresses).toEqual([1, 2, 3].map((line) => ({ file_index: 1, line })));
    expect(parseTrace(read(1)).records.map((r) => r.message.type)).toEqual(["session_meta", "model_msg", "event_msg"]);
    expect(read(1).split("\n")).toHaveLength(4);
  });

  test("nothing is on disk before the first append; then folder and file are private", async () => {
    const writer = create();
    expect(writer.exists).toBe(false);
    expect(existsSync(disk.traces(REF))).toBe(false);
    expect(await writer.append([])).toEqual([]);
    expect(existsSync(disk.traces(REF))).toBe(false);
    await writer.append([text("x")]);
    expect(writer.exists).toBe(true);
    expect(writer.path).toBe(path(1));
    expect(statSync(path(1)).mode & 0o777).toBe(0o600);
    expect(statSync(join(path(1), "..")).mode & 0o777).toBe(0o700);
  });

  test("TR7: rotate is lazy, keeps the folder and leaves the old bytes alone", async () => {
    const writer = create();
    await writer.append([text("one")]);
    const before = read(1);
    writer.rotate();
    writer.rotate();
    expect(writer.fileIndex).toBe(2);
    expect(writer.exists).toBe(false);
    expect(existsSync(path(2))).toBe(false);
    expect(await writer.append([text("two")])).toEqual([{ file_index: 2, line: 1 }]);
    expect(read(1)).toBe(before);
    expect(texts(2)).toEqual(["two"]);
  });

  test("TR8: commit points are prompts, approvals and ends", () => {
    const status = "completed" as const;
    expect(isCommitPoint(text("x", "user"))).toBe(true);
    expect(isCommitPoint(model({ type: "image_url", role: "user", image_url: "x" }))).toBe(true);
    expect(isCommitPoint(event({ type: "approval_decision", decision: "allow", tool_call_id: "c" }))).toBe(true);
    expect(isCommitPoint(event({ type: "request_end", status }))).toBe(true);
    expect(isCommitPoint(event({ type: "compaction_end", status, reason: "manual", mode: "discard" }))).toBe(true);
    expect(isCommitPoint(text("x"))).toBe(false);
    expect(isCommitPoint(event({ type: "request_begin" }))).toBe(false);
    expect(isCommitPoint(model({ type: "tool_call_output", role: "user", output: "o", tool_call_id: "c" }))).toBe(
      false,
    );
  });

  test("TR8: append resolves behind a commit point only after the sync, others without one", async () => {
    const log: string[] = [];
    const syncLater = async (fd: number) => {
      await nodeIo.syncLater(fd);
      log.push("synced");
    };
    const writer = create({ ...nodeIo, syncLater });
    await writer.append([text("x")]);
    log.push("plain");
    await writer.append([text("x", "user")]);
    log.push("prompt");
    await writer.append([{ ...big("b"), payload: { type: "text", role: "user", text: big("b").payload.text } }]);
    log.push("large prompt");
    expect(log).toEqual(["plain", "synced", "prompt", "synced", "large prompt"]);
  });
});

describe("order (TR4)", () => {
  test("a large record amid small ones: every line parses, order is that of the calls", async () => {
    const writer = create();
    const names = ["1", "2", "B", "3", "B", "4"];
    const addresses = await Promise.all(names.map((n) => writer.append([n === "B" ? big("B") : text(n)])));
    expect(texts(1)).toEqual(names);
    expect(addresses.flat().map((a) => a.line)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("rotate between calls in flight: earlier ones in the old file, later ones in the new", async () => {
    const writer = create();
    const first = writer.append([big("A")]);
    const second = writer.append([text("old", "user")]);
    writer.rotate();
    const third = writer.append([text("new")]);
    expect(await third).toEqual([{ file_index: 2, line: 1 }]);
    expect(await first).toEqual([{ file_index: 1, line: 1 }]);
    expect(await second).toEqual([{ file_index: 1, line: 2 }]);
    expect([texts(1), texts(2)]).toEqual([["A", "old"], ["new"]]);
  });

  test("one call is one write, however many records and however large", async () => {
    const { io, calls } = faulty();
    const writer = create(io);
    await writer.append([text("a"), text("b"), text("c")]);
    await writer.append([big("d"), text("e")]);
    expect(calls).toHaveLength(2);
    expect(texts(1)).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("close waits for what is on its way; an append after it goes on in the same file", async () => {
    const writer = create();
    const first = writer.append([
      { ...big("A"), payload: { type: "text", role: "user", text: big("A").payload.text } },
    ]);
    writer.close();
    await first;
    expect(await writer.append([text("b")])).toEqual([{ file_index: 1, line: 2 }]);
    expect(texts(1)).toEqual(["A", "b"]);
  });
});

describe("failed writes (FS04, FS05)", () => {
  test("a failed write rejects only its caller", async () => {
    const writer = create(faulty("fail").io);
    const failed = writer.append([text("lost")]);
    const good = writer.append([text("kept")]);
    await expect(failed).rejects.toMatchObject({ code: "disk_full", written: [] });
    expect(await good).toEqual([{ file_index: 1, line: 1 }]);
    expect(texts(1)).toEqual(["kept"]);
  });

  test.each([
    ["small", text("torn away")],
    ["large", big("T")],
  ])("SR05: a %s record cut by a full disk costs only itself", async (_, record) => {
    const writer = create(faulty(10).io);
    await expect(writer.append([record])).rejects.toMatchObject({ code: "disk_full" });
    expect(await writer.append([text("next")])).toEqual([{ file_index: 1, line: 2 }]);
    expect(await writer.append([text("more")])).toEqual([{ file_index: 1, line: 3 }]);
    const parsed = parseTrace(read(1));
    expect(parsed.damaged.map((d) => d.line)).toEqual([1]);
    expect(texts(1)).toEqual(["next", "more"]);
    expect(read(1).split("\n")).toHaveLength(4);
  });

  test("a batch cut in its second record names the first as written", async () => {
    const first = text("first");
    const cut = Buffer.byteLength(JSON.stringify(first)) + 5;
    const writer = create(faulty(cut).io);
    const written = [{ file_index: 1, line: 1 }];
    await expect(writer.append([first, text("second")])).rejects.toMatchObject({ written });
    expect(await writer.append([text("third")])).toEqual([{ file_index: 1, line: 3 }]);
    expect(texts(1)).toEqual(["first", "third"]);
  });

  test("a record that lacks only its newline counts as written", async () => {
    const first = text("first");
    const writer = create(faulty(Buffer.byteLength(JSON.stringify(first))).io);
    expect(await writer.append([first])).toEqual([{ file_index: 1, line: 1 }]);
    expect(await writer.append([text("second")])).toEqual([{ file_index: 1, line: 2 }]);
    expect(texts(1)).toEqual(["first", "second"]);
  });

  test("a write without progress throws instead of looping; nothing needs healing then", async () => {
    const writer = create(faulty("zero").io);
    await expect(writer.append([text("x")])).rejects.toMatchObject({ code: "io" });
    await writer.append([text("y")]);
    expect(read(1).startsWith("{")).toBe(true);
    expect(texts(1)).toEqual(["y"]);
  });

  test("a failed sync names the records, which are in the file", async () => {
    const syncLater = () => Promise.reject(Object.assign(new Error("io"), { code: "EIO" }));
    const writer = create({ ...nodeIo, syncLater });
    const written = [{ file_index: 1, line: 1 }];
    await expect(writer.append([text("x", "user")])).rejects.toMatchObject({ code: "io", written });
  });

  test("a folder that cannot be made rejects, and works once it can", async () => {
    writeFileSync(join(root, "p"), "in the way");
    const writer = create();
    await expect(writer.append([text("x")])).rejects.toMatchObject({ code: "io" });
    rmSync(join(root, "p"));
    expect(await writer.append([text("x")])).toEqual([{ file_index: 1, line: 1 }]);
  });
});

describe("resumed files (TR5)", () => {
  const good = `${JSON.stringify(text("one"))}\n`;

  test("a torn tail is healed once, addresses stay physical lines", async () => {
    const writer = resumeOn(`${good}\n{"broken\n${good}{"type":"model_m`);
    expect(await writer.append([text("x")])).toEqual([{ file_index: 1, line: 6 }]);
    expect(await writer.append([text("y")])).toEqual([{ file_index: 1, line: 7 }]);
    writer.rotate();
    await writer.append([text("z")]);
    expect(read(1).split("\n")[5]).toBe(JSON.stringify(parseTrace(read(1)).records.at(-2)?.message));
    expect(read(1).match(/\n/g)).toHaveLength(7);
    expect(read(2).startsWith("{")).toBe(true);
  });

  test.each([
    ["", 1, [] as string[]],
    [good, 2, ["one"]],
  ])("a clean file gets no extra newline", async (content, line, had) => {
    const writer = resumeOn(content);
    expect(writer.exists).toBe(true);
    expect(await writer.append([text("x")])).toEqual([{ file_index: 1, line }]);
    expect(read(1).startsWith(content)).toBe(true);
    expect(read(1)).not.toContain("\n\n");
    expect(texts(1)).toEqual([...had, "x"]);
  });

  test("TR1: a new file never takes over an existing one", async () => {
    resumeOn(good);
    await expect(create().append([text("x")])).rejects.toMatchObject({ code: "io" });
    expect(read(1)).toBe(good);
  });
});

describe("appendNow, for the handler of a signal", () => {
  test("writes and syncs synchronously", () => {
    const writer = create();
    expect(writer.appendNow([text("a"), text("b")])).toEqual([1, 2].map((line) => ({ file_index: 1, line })));
    expect(texts(1)).toEqual(["a", "b"]);
  });

  test("with a large write on its way and calls waiting, the order is kept", async () => {
    const writer = create();
    const inFlight = writer.append([big("A")]);
    const waiting = writer.append([text("b")]);
    expect(writer.appendNow([text("c")])).toEqual([{ file_index: 1, line: 3 }]);
    expect(texts(1)).toEqual(["A", "b", "c"]);
    expect(await inFlight).toEqual([{ file_index: 1, line: 1 }]);
    expect(await waiting).toEqual([{ file_index: 1, line: 2 }]);
    await writer.append([text("d")]);
    expect(texts(1)).toEqual(["A", "b", "c", "d"]);
  });

  test("a write that never arrives does not hold it up, and its rest is not written later", async () => {
    let finish = (_: number) => {};
    const stuck = new Promise<number>((resolve) => {
      finish = resolve;
    });
    const writer = create({
      ...nodeIo,
      writeLater: (fd, data) => {
        nodeIo.write(fd, data.subarray(0, 20));
        return stuck;
      },
    });
    const inFlight = writer.append([big("A")]);
    writer.appendNow([text("c")]);
    finish(20);
    await expect(inFlight).rejects.toMatchObject({ code: "io" });
    expect(texts(1)).toEqual(["c"]);
    expect(read(1).split("\n")).toHaveLength(3);
  });
});
