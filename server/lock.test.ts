import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockHolder, takeLock } from "./lock.mjs";

let root: string;
const paths = () => ({ own: join(root, "own"), foreign: join(root, "foreign") });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "penguin-lock-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function take() {
  const taken = takeLock(paths(), 7364);
  if (!taken.ok) throw new Error("not taken");
  return taken;
}
const stored = () => JSON.parse(readFileSync(paths().own, "utf8"));

describe("server lock", () => {
  it("CC01 refuses a second holder and names it; released, it is free again and nothing is left", () => {
    const first = take();
    expect(takeLock(paths(), 1)).toEqual({ ok: false, holder: { pid: process.pid, port: 7364 } });
    expect(readdirSync(root)).toEqual(["own"]);
    first.release();
    expect(readdirSync(root)).toEqual([]);
    take().release();
  });

  it.each([
    ["its process is gone", { pid: 4_194_303 }],
    ["its number went to another process", { started: "1" }],
    ["it is from before the last boot", { boot_id: "0" }],
  ])("CC04 takes over a lock when %s", (_, change) => {
    take();
    writeFileSync(paths().own, JSON.stringify({ ...stored(), ...change }));
    expect(lockHolder(paths())).toBeNull();
    take();
    expect(lockHolder(paths())).toEqual({ pid: process.pid, port: 7364 });
    expect(readdirSync(root)).toEqual(["own"]);
  });

  it.each(["", "{", "[]"])("CC04 takes over a lock that says %j", (text) => {
    writeFileSync(paths().own, text);
    take();
    expect(stored().pid).toBe(process.pid);
  });

  it("does not release what somebody else took over", () => {
    const first = take();
    writeFileSync(paths().own, JSON.stringify({ ...stored(), nonce: "other" }));
    first.release();
    expect(existsSync(paths().own)).toBe(true);
  });

  it("CC01 CC04 of two processes on one data root the second is refused while the first lives; after a kill it may", async () => {
    const script = `import("${new URL("lock.mjs", import.meta.url)}").then(({ takeLock }) => {
      process.stdout.write(JSON.stringify(takeLock(${JSON.stringify(paths())}, 7361)));
      setInterval(() => {}, 1000);
    })`;
    const first = spawn(process.execPath, ["-e", script]);
    const said = await new Promise((resolve) => first.stdout.once("data", (data) => resolve(JSON.parse(String(data)))));
    expect(said).toMatchObject({ ok: true });
    const refused = { ok: false, holder: { pid: first.pid, port: 7361 } };
    expect([takeLock(paths(), 7362), takeLock(paths(), 7363)]).toEqual([refused, refused]);
    const gone = new Promise((resolve) => first.once("exit", resolve));
    first.kill("SIGKILL");
    await gone;
    take().release();
    expect(readdirSync(root)).toEqual([]);
  });

  it("respects a live lock of the reference implementation, not a dead one", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(()=>{},1000)"]);
    const lock = (startedAt: unknown) =>
      writeFileSync(paths().foreign, JSON.stringify({ pid: child.pid, port: 1, startedAt }));
    lock(new Date().toISOString());
    expect(lockHolder(paths())).toEqual({ pid: child.pid, port: 1 });
    expect(takeLock(paths(), 2).ok).toBe(false);
    lock(new Date(Date.now() - 3_600_000).toISOString());
    expect(lockHolder(paths())).toBeNull();
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    lock(new Date().toISOString());
    expect(takeLock(paths(), 2).ok).toBe(true);
  });
});
