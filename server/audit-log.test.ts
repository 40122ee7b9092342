import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isOfKind } from "../lib/api/audit";
import { Audit } from "./audit";
import { readAudit } from "./audit-log";
import { layout } from "./paths";

let root: string;
let path: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "penguin-audit-"));
  path = join(root, "log");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const keep = () => true;
const entry = (i: number, more = "") => `${JSON.stringify({ at: "2026-01-01", by: "ann", action: `a.${i}`, more })}\n`;
const numbers = (entries: { action: string }[]) => entries.map(({ action }) => Number(action.slice(2)));

async function all(limit: number): Promise<number[]> {
  const found: number[] = [];
  for (let before: number | undefined; ; ) {
    const page = await readAudit(path, { limit, before, keep });
    found.push(...numbers(page.entries));
    if (page.before === undefined) return found;
    before = page.before;
  }
}

describe("the audit log, newest first", () => {
  it("no file is no entry", async () => {
    expect(await readAudit(path, { limit: 10, keep })).toEqual({ entries: [] });
  });

  it.each([1, 7, 50, 1_000])("pages of %i hold every line once, also across chunks", async (limit) => {
    const lines = Array.from({ length: 400 }, (_, i) => entry(i, "é".repeat((i * 37) % 900)));
    await writeFile(path, lines.join(""));
    expect(await all(limit)).toEqual(Array.from({ length: 400 }, (_, i) => 399 - i));
  });

  it("a line longer than a chunk, damaged lines, blank lines and a torn end do not hide the others", async () => {
    await writeFile(path, `${entry(0)}${entry(1, "x".repeat(200_000))}not json\n\n{"at":1}\n${entry(2)}{"at":"2026`);
    expect(await all(10)).toEqual([2, 1, 0]);
    expect(await all(1)).toEqual([2, 1, 0]);
  });

  it("what is appended meanwhile shifts nothing", async () => {
    await writeFile(path, [0, 1, 2, 3].map((i) => entry(i)).join(""));
    const first = await readAudit(path, { limit: 2, keep });
    await appendFile(path, entry(4));
    const next = await readAudit(path, { limit: 2, before: first.before, keep });
    expect([...numbers(first.entries), ...numbers(next.entries)]).toEqual([3, 2, 1, 0]);
    expect(next.before).toBeUndefined();
  });

  it("filters by kind over what the server writes", async () => {
    const paths = layout(root);
    await mkdir(paths.project("alpha"));
    const audit = new Audit(paths);
    for (const action of [
      "sign_in",
      "member.add",
      "models.change",
      "trace.import",
      "session.delete",
      "usage.deleted",
      "project.rename",
    ])
      await audit.write({ by: "ann", action }, "alpha");
    const { entries } = await readAudit(paths.projectAudit("alpha"), {
      limit: 10,
      keep: ({ action }) => isOfKind(action, "members") || isOfKind(action, "deletions"),
    });
    expect(entries.map(({ action }) => action)).toEqual(["usage.deleted", "session.delete", "member.add"]);
  });
});
