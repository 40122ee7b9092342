/** The Traces of the shared case collection, when it lies beside the repository; our own equivalents are elsewhere. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { event } from "../../lib/omni/build";
import { REF, stream, temporaryRoot } from "./fixtures/traces";
import { TraceStore } from "./store";
import { TraceWriter } from "./writer";

const folder = join(process.env.PENGUIN_SHARED ?? join(import.meta.dirname, "../../../shared"), "cases/traces");
const here = existsSync(folder);
if (!here) console.warn(`[skipped] the case collection is not at ${folder}`);
const names = here ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
const OPTIONS = { acceptDamage: false, by: "ann", maxBytes: 10_000_000 };

/** What an import answers; every other file is accepted. */
const REFUSED: Record<string, string> = {
  "empty-file": "invalid_trace",
  "import-no-session-meta": "invalid_trace",
  "import-not-a-trace": "invalid_trace",
  "import-traversal-id": "invalid_trace",
  "import-two-session-metas": "invalid_trace",
  "torn-session-meta": "invalid_trace",
  "bad-midline": "damaged_trace",
  "fused-records": "damaged_trace",
  "torn-tail": "damaged_trace",
  "torn-tail-multibyte": "damaged_trace",
};

test.skipIf(!here)("import of every case: refused ones leave nothing, others keep their bytes", async () => {
  for (const name of names) {
    const { disk } = temporaryRoot();
    const store = new TraceStore(disk);
    const bytes = readFileSync(join(folder, name));
    const code = REFUSED[name.replace(".jsonl", "")];
    const outcome = await store.import(REF, stream(bytes), OPTIONS);
    expect(outcome, name).toMatchObject(code ? { ok: false, code } : { ok: true });
    if (code === "invalid_trace") continue;
    const stored = outcome.ok ? outcome : await store.import(REF, stream(bytes), { ...OPTIONS, acceptDamage: true });
    if (!stored.ok) throw new Error(`${name}: ${stored.message}`);
    const raw = await store.openRaw(REF, stored.session_id, 1);
    expect(
      createHash("sha256")
        .update(readFileSync(raw?.path ?? ""))
        .digest("hex"),
      name,
    ).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
});

test.skipIf(!here)("SR05: appended to, every case keeps what it had and every new line parses on its own", async () => {
  for (const name of names) {
    const { disk, put } = temporaryRoot();
    const id = "case_1";
    put(readFileSync(join(folder, name)), { id });
    const store = new TraceStore(disk);
    const before = await store.read(REF, id, 1);
    if (!before) throw new Error(name);
    const at = { date: "2026-07-18", index: 1 };
    const writer = TraceWriter.resume(disk, REF, id, at, before);
    const addresses = await writer.append([event({ type: "request_begin" }), event({ type: "abort", reason: null })]);
    writer.close();
    const after = await store.read(REF, id, 1);
    expect(after?.records.slice(0, before.records.length), name).toEqual(before.records);
    expect(
      after?.records.slice(-2).map((r) => r.address),
      name,
    ).toEqual(addresses);
    expect(
      after?.damaged.map((d) => d.line),
      name,
    ).toEqual(before.damaged.map((d) => d.line));
  }
});
