import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { removeLeftovers } from "./leftovers";
import { layout } from "./paths";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "leftovers-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const REF = { project: "default_project", agent: "default_agent" };
const SESSION = "session-2026-11-29-10-00-00-0123abcd";
const YESTERDAY = Date.now() / 1000 - 86_400;

function put(path: string, seconds: number | null = YESTERDAY): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "x");
  if (seconds !== null) utimesSync(path, seconds, seconds);
  return path;
}

it("halves of files that a killed server left are removed, nothing else", async () => {
  const paths = layout(join(base, "data"));
  const temporary = join(base, "tmp");
  mkdirSync(temporary);
  const half = (path: string) => join(dirname(path), `.${path.slice(path.lastIndexOf("/") + 1)}.0123456789ab.tmp`);
  const queue = paths.queue(REF, SESSION);
  const stale = [
    half(queue),
    half(paths.user("admin")),
    half(paths.projectConfig(REF.project)),
    half(paths.systemConfig(REF)),
    half(paths.goalFile(REF, SESSION)),
    half(paths.imports(REF)),
    join(paths.incoming(REF), "0123456789abcdef01234567"),
    paths.shareCopy(REF.project, "a".repeat(64)),
  ].map((path) => put(path));
  const kept = [
    queue,
    paths.share(REF.project, "b".repeat(64)),
    paths.shareCopy(REF.project, "b".repeat(64)),
    paths.traceFile(REF, "2026-11-29", SESSION, 1),
    paths.goalFile(REF, SESSION),
    // Not ours: other names, and what an Agent made.
    join(paths.traces(REF), ".notes.tmp"),
    join(paths.incoming(REF), "README"),
    half(join(paths.temporaryWorkspace(REF, "0123abcd"), "a.txt")),
    half(join(paths.sessionTmp(REF, SESSION), "a.txt")),
  ].map((path) => put(path));
  // Somebody may be at it.
  kept.push(put(join(paths.incoming(REF), "ffffffffffffffffffffffff"), null));

  const dead = 2 ** 22 + 1;
  for (const name of [`penguin-pipe-${dead}-abcdef`, `penguin-pipe-${process.pid}-abcdef`, `penguin-pipe-${dead}`])
    put(join(temporary, name, "0"));
  put(join(temporary, `penguin-pipe-${dead}-file00`));

  expect(await removeLeftovers(paths, { temporary })).toBe(stale.length + 1);
  expect(stale.filter(existsSync)).toEqual([]);
  expect(kept.filter((path) => !existsSync(path))).toEqual([]);
  expect(readdirSync(temporary).sort()).toEqual(
    [`penguin-pipe-${dead}`, `penguin-pipe-${dead}-file00`, `penguin-pipe-${process.pid}-abcdef`].sort(),
  );
  expect(await removeLeftovers(paths, { temporary })).toBe(0);
});

it("a data root that is not there yet has none", async () => {
  expect(await removeLeftovers(layout(join(base, "none")), { temporary: join(base, "none") })).toBe(0);
});

it("what was being deleted when the server was killed goes at the next start, a deletion that is going on is left alone", async () => {
  const paths = layout(join(base, "data"));
  const [then, now] = [Date.now() - 60_000, Date.now() + 60_000];
  const trash = [`.deleted-a-${then}`, `.deleted-b_2-${then}-1`, `.deleted-c-${now}-1`, ".deleted-notes"];
  for (const name of trash) put(join(paths.root, name, "agents", "x"));
  put(join(paths.agents("alpha"), `.deleted-d-${then}-2`, "y"));
  await removeLeftovers(paths, { temporary: base });
  expect(readdirSync(paths.root).sort()).toEqual([`.deleted-c-${now}-1`, ".deleted-notes", "alpha"].sort());
  expect(readdirSync(paths.agents("alpha"))).toEqual([]);
});
