import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Header } from "tar";
import { expect, test } from "vitest";
import { partOf } from "./bundle-paths";
import { event, file, goodTrace, info, meta, REF, SID, stream, temporaryRoot, turn, user } from "./fixtures/traces";
import { TraceStore } from "./store";

const CHILD = "session-2026-07-18-11-10-23-00000002";
const OPTIONS = { acceptDamage: false, by: "ann", maxBytes: 20_000_000 };
const OTHER = { project: "p", agent: "b" };

const noSecrets = async () => [];

async function bytesOf(body: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  if (!body) throw new Error("no body");
  return Buffer.from(await new Response(body).arrayBuffer());
}

/** A Session with two files, a child, and things in its scratchpad. */
function library() {
  const root = temporaryRoot();
  const first = file(
    meta(),
    ...turn("q", "a"),
    event({ type: "request_begin" }),
    event({ type: "subagent", session_id: CHILD }),
  );
  root.put(first);
  root.put(file(meta(), ...turn("next", "b")), { index: 2 });
  root.put(goodTrace(CHILD), { id: CHILD });
  const scratch = root.disk.scratchpad(REF, SID);
  mkdirSync(join(scratch, "deep", "er"), { recursive: true });
  writeFileSync(join(scratch, "upload-1.png"), Buffer.from([0, 1, 2, 255]));
  const long = `${"n".repeat(180)}.txt`;
  writeFileSync(join(scratch, "deep", "er", long), "x".repeat(300_000));
  symlinkSync("/etc/passwd", join(scratch, "link"));
  return { ...root, store: new TraceStore(root.disk), long };
}

/** A .tar.gz of these entries. */
function archive(
  ...entries: { name: string; content?: string; type?: "SymbolicLink" | "Link"; linkpath?: string }[]
): Buffer {
  const blocks = entries.flatMap(({ name, content = "", type, linkpath }) => {
    const block = Buffer.alloc(512);
    const size = Buffer.byteLength(content);
    new Header({ path: name, size, mode: 0o600, type: type ?? "File", linkpath, mtime: new Date(0) }).encode(block, 0);
    return [block, Buffer.from(content), Buffer.alloc((512 - (size % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
const traceName = (id: string, index = 1) =>
  `sessions/${id}/trace/2026-07-18/${id}_${String(index).padStart(3, "0")}.jsonl`;

test("a bundle holds every file of a Session, its scratchpad and its children, and comes back byte for byte (IM4)", async () => {
  const { store, disk, long } = library();
  const bundle = await bytesOf(await store.bundle(REF, SID, "ann", noSecrets));
  expect(gunzipSync(bundle).includes("root:x:")).toBe(false);
  const imported = await store.importBundle(OTHER, stream(bundle, 10_000), OPTIONS);
  expect(imported).toMatchObject({
    ok: true,
    session_id: SID,
    sessions: [
      { session_id: SID, files: 2 },
      { session_id: CHILD, files: 1 },
    ],
    damaged: [],
  });
  for (const [id, index] of [
    [SID, 1],
    [SID, 2],
    [CHILD, 1],
  ] as const) {
    const [from, to] = await Promise.all([store.openRaw(REF, id, index), store.openRaw(OTHER, id, index)]);
    expect(readFileSync(to?.path ?? "").equals(readFileSync(from?.path ?? ""))).toBe(true);
  }
  const scratch = disk.scratchpad(OTHER, SID);
  expect([...readFileSync(join(scratch, "upload-1.png"))]).toEqual([0, 1, 2, 255]);
  expect(readFileSync(join(scratch, "deep", "er", long)).length).toBe(300_000);
  expect(existsSync(join(scratch, "link"))).toBe(false);
  expect(readdirSync(disk.incomingBundles(OTHER))).toEqual([]);
  expect(await store.session(OTHER, SID)).toMatchObject({ imported: true, imported_by: "ann" });
  // Once more: refused with the id, and nothing more than before.
  const again = await store.importBundle(OTHER, stream(bundle, 10_000), OPTIONS);
  expect(again).toMatchObject({ ok: false, code: "session_exists", details: { session_id: SID } });
});

test("AC3: values of the vault in scratchpad files are masked, across pieces, and no other byte changes", async () => {
  const { store, disk } = library();
  const notes = join(disk.scratchpad(REF, SID), "notes.txt");
  const secret = "vault-väl-12345";
  // Cut by the border of two pieces, and by the end of the file.
  writeFileSync(notes, `${"x".repeat(256 * 1024 - 5)}${secret}\xff${secret}`, "utf8");
  const bundle = await bytesOf(await store.bundle(REF, SID, "ann", async () => [secret]));
  expect(gunzipSync(bundle).includes(secret)).toBe(false);
  expect(await store.importBundle(OTHER, stream(bundle, 10_000), OPTIONS)).toMatchObject({ ok: true });
  const shown = readFileSync(join(disk.scratchpad(OTHER, SID), "notes.txt"), "utf8");
  expect(shown).toBe(`${"x".repeat(256 * 1024 - 5)}***\xff***`);
  expect([...readFileSync(join(disk.scratchpad(OTHER, SID), "upload-1.png"))]).toEqual([0, 1, 2, 255]);
});

test("settings inside any file of a bundle are not trusted", async () => {
  const { disk } = temporaryRoot();
  const store = new TraceStore(disk);
  const body = archive(
    { name: traceName(SID, 1), content: goodTrace() },
    { name: traceName(SID, 2), content: file(meta(), info({ approval_mode: "allow-all", archived: true }), user("x")) },
  );
  expect(await store.importBundle(REF, stream(body), OPTIONS)).toMatchObject({ ok: true });
  expect((await store.session(REF, SID))?.info).toBeNull();
});

test.each([
  ["../evil.txt", {}],
  ["/etc/evil.txt", {}],
  [`sessions/${SID}/files/../../../evil.txt`, {}],
  [`sessions/${SID}/files/a\\b`, {}],
  [`sessions/${SID}/files/.vault.toml`, {}],
  [`sessions/../trace/2026-07-18/${SID}_001.jsonl`, {}],
  [`sessions/${SID}/trace/2026-07-18/${CHILD}_001.jsonl`, {}],
  [`sessions/${SID}/files/link`, { type: "SymbolicLink", linkpath: "/etc" } as const],
  [`sessions/${SID}/files/hard`, { type: "Link", linkpath: traceName(SID) } as const],
])("the entry %s is refused and nothing is stored", async (name, more) => {
  const { disk, root } = temporaryRoot();
  const store = new TraceStore(disk);
  const body = archive({ name: traceName(SID), content: goodTrace() }, { name, content: "x", ...more });
  expect(await store.importBundle(REF, stream(body), OPTIONS)).toMatchObject({ ok: false, code: "invalid_trace" });
  expect(await store.sessions(REF)).toEqual([]);
  expect(existsSync(join(dirname(root), "evil.txt"))).toBe(false);
  expect(existsSync(disk.scratchpad(REF, SID))).toBe(false);
});

test("damaged lines are shown first, wrong and half bundles name the cause, a bomb is stopped", async () => {
  const { disk } = temporaryRoot();
  const store = new TraceStore(disk);
  const damaged = archive({ name: traceName(SID), content: file(meta(), '{"cut', user("q")) });
  const refused = await store.importBundle(REF, stream(damaged), OPTIONS);
  expect(refused).toMatchObject({ ok: false, code: "damaged_trace", details: { total: 1, damaged: [{ line: 2 }] } });
  const wrong: [Buffer, RegExp][] = [
    [Buffer.from("no archive"), /\.tar\.gz/],
    [archive({ name: traceName(SID), content: goodTrace() }).subarray(0, 300), /\.tar\.gz/],
    [archive({ name: "penguin-session.json", content: "{}" }), /no Trace file/],
    [archive({ name: traceName(SID), content: goodTrace(CHILD) }), /another Session/],
    [archive({ name: traceName(SID), content: "nothing\n" }), /session_meta/],
    [
      archive({ name: `sessions/${CHILD}/files/a`, content: "a" }, { name: traceName(SID), content: goodTrace() }),
      /no Trace of it/,
    ],
    [Buffer.alloc(0), /empty/],
  ];
  for (const [body, message] of wrong) {
    const outcome = await store.importBundle(REF, stream(body), OPTIONS);
    expect(outcome.ok ? "stored" : outcome.message).toMatch(message);
  }
  const bomb = archive(
    { name: traceName(SID), content: goodTrace() },
    { name: `sessions/${SID}/files/zero`, content: "0".repeat(3_000_000) },
  );
  expect(await store.importBundle(REF, stream(bomb), { ...OPTIONS, maxBytes: 1_000_000 })).toMatchObject({
    code: "file_too_large",
  });
  expect(await store.sessions(REF)).toEqual([]);
  expect(await store.importBundle(REF, stream(damaged), { ...OPTIONS, acceptDamage: true })).toMatchObject({
    ok: true,
    damaged: [{ line: 2 }],
  });
});

test("two entries of one name are refused by their name, and leave nothing", async () => {
  const { disk } = temporaryRoot();
  const store = new TraceStore(disk);
  const [one, file] = [{ name: traceName(SID), content: goodTrace() }, `sessions/${SID}/files/a`];
  for (const [again, message] of [
    [[one], /one Trace file twice/],
    [[{ ...one, name: traceName(SID).replace("/2026-07-18/", "/2026-07-19/") }], /one Trace file twice/],
    [
      [
        { name: file, content: "1" },
        { name: file, content: "2" },
      ],
      /two entries of one name, or "a"/,
    ],
    [
      [
        { name: file, content: "1" },
        { name: `${file}/b`, content: "2" },
      ],
      /two entries of one name/,
    ],
  ] as const) {
    const outcome = await store.importBundle(REF, stream(archive(one, ...again)), OPTIONS);
    expect(outcome.ok ? "stored" : outcome.message).toMatch(message);
    expect(await store.sessions(REF)).toEqual([]);
    expect(existsSync(join(disk.scratchpad(REF, SID), "a"))).toBe(false);
  }
});

test("a bundle that unpacks to very much is given up at its first wrong entry, before the rest is unpacked; nothing is unpacked twice", async () => {
  const store = new TraceStore(temporaryRoot().disk);
  const zeros = { name: `sessions/${SID}/files/zero`, content: "0".repeat(20_000_000) };
  const bomb = archive({ name: "strange", content: "x" }, zeros);
  const outcome = await store.importBundle(REF, stream(bomb), OPTIONS);
  expect(outcome.ok ? "stored" : outcome.message).toMatch(/"strange" is no part of a bundle/);
  const twice = await store.importBundle(REF, stream(gzipSync(bomb)), OPTIONS);
  expect(twice.ok ? "stored" : twice.message).toMatch(/packed twice/);
});

test("names of entries: only what the export writes is accepted", () => {
  expect(partOf(traceName(SID, 12))).toEqual({ kind: "trace", session: SID, date: "2026-07-18", index: 12 });
  expect(partOf(`sessions/${SID}/files/a/b.txt`)).toEqual({ kind: "file", session: SID, segments: ["a", "b.txt"] });
  for (const name of ["", "sessions", `sessions/${SID}/files`, `sessions/${SID}/files/`, `sessions/${SID}/other/a`])
    expect(partOf(name)).toBeNull();
});
