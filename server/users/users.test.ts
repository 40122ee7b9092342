import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { layout } from "../paths";
import { TomlFiles } from "../toml-file";
import { Hasher } from "./hash";
import { Users } from "./users";

class FullDisk extends TomlFiles {
  full = true;
  override async update<T>(...args: Parameters<typeof TomlFiles.prototype.update<T>>): Promise<T> {
    const [path, change] = args;
    return super.update(path, async (table) => {
      const changed = await change(table);
      if (this.full) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      return changed;
    });
  }
}

let root: string;
let users: Users;
const paths = () => layout(root);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "penguin-users-"));
  users = new Users(paths(), new TomlFiles(), new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const code = (expected: string) => expect.objectContaining({ code: expected });

describe("users", () => {
  it("verifies the right password only; an unknown user is no different", async () => {
    await users.create({ id: "ann", password: "correct horse" });
    expect((await users.verify("ann", "correct horse"))?.id).toBe("ann");
    expect(await users.verify("ann", "wrong horse")).toBeNull();
    expect(await users.verify("nobody", "correct horse")).toBeNull();
    expect(await users.verify("../ann", "correct horse")).toBeNull();
  });

  it("FS01 FS02 keeps the file private and the password out of it", async () => {
    await users.create({ id: "ann", password: "correct horse" });
    const text = await readFile(paths().user("ann"), "utf8");
    expect(text).not.toContain("horse");
    expect((await stat(paths().user("ann"))).mode & 0o777).toBe(0o600);
    expect((await stat(paths().users)).mode & 0o777).toBe(0o700);
  });

  it("refuses bad ids and short passwords", async () => {
    for (const id of ["", "A", "a", "1a", "a-b", "a".repeat(33)]) {
      await expect(users.create({ id, password: "12345678" })).rejects.toEqual(code("invalid_id"));
    }
    await expect(users.create({ id: "ann", password: "1234567" })).rejects.toEqual(code("invalid_password"));
    expect(await users.get("ann")).toBeNull();
  });

  it("never gives an id away twice", async () => {
    await users.create({ id: "ann", password: "12345678" });
    await expect(users.create({ id: "ann", password: "12345678" })).rejects.toEqual(code("exists"));
    await users.remove("ann");
    expect(await users.get("ann")).toBeNull();
    expect(await users.verify("ann", "12345678")).toBeNull();
    await expect(users.create({ id: "ann", password: "12345678" })).rejects.toEqual(code("exists"));
  });

  it("FS04: on a full disk people sign in and out all the same; it is written once there is space", async () => {
    await users.create({ id: "ann", password: "12345678" });
    const first = await users.addSignIn("ann");
    const files = new FullDisk();
    const full = new Users(paths(), files, new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }));
    const before = await readFile(paths().user("ann"), "utf8");
    const second = await full.addSignIn("ann");
    expect((await full.signedIn("ann", second))?.id).toBe("ann");
    await full.endSignIn("ann", first);
    expect(await full.signedIn("ann", first)).toBeNull();
    await expect(full.patch("ann", { name: "Ann" })).rejects.toMatchObject({ code: "ENOSPC" });
    await expect(full.setPassword("ann", "abcdefgh", { initial: false })).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await readFile(paths().user("ann"), "utf8")).toBe(before);
    files.full = false;
    const third = await full.addSignIn("ann");
    const again = new Users(paths(), new TomlFiles(), new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }));
    const alive = await Promise.all([first, second, third].map((sid) => again.signedIn("ann", sid)));
    expect(alive.map((user) => user?.id)).toEqual([undefined, "ann", "ann"]);
    await full.endSignIn("ann", second);
    expect(await full.signedIn("ann", second)).toBeNull();
  });

  it("knows a sign-in until it ends, also for edits made on disk", async () => {
    await users.create({ id: "ann", password: "12345678" });
    const [first, second] = [await users.addSignIn("ann"), await users.addSignIn("ann")];
    expect((await users.signedIn("ann", first))?.id).toBe("ann");
    await users.endSignIn("ann", first);
    expect(await users.signedIn("ann", first)).toBeNull();
    expect(await users.signedIn("ann", second)).not.toBeNull();
    const text = await readFile(paths().user("ann"), "utf8");
    await writeFile(paths().user("ann"), text.replace(second, "edited-on-disk"));
    expect(await users.signedIn("ann", second)).toBeNull();
  });

  it("loses no sign-in when several begin at once", async () => {
    await users.create({ id: "ann", password: "12345678" });
    const sids = await Promise.all(Array.from({ length: 10 }, () => users.addSignIn("ann")));
    for (const sid of sids) expect(await users.signedIn("ann", sid)).not.toBeNull();
  });

  it("a new password ends every sign-in but the one that set it; a reset ends all", async () => {
    await users.create({ id: "ann", password: "12345678" });
    const [mine, other] = [await users.addSignIn("ann"), await users.addSignIn("ann")];
    await users.setPassword("ann", "another one", { initial: false, keep: mine });
    expect(await users.signedIn("ann", mine)).not.toBeNull();
    expect(await users.signedIn("ann", other)).toBeNull();
    await users.setPassword("ann", "a third one", { initial: true });
    expect(await users.signedIn("ann", mine)).toBeNull();
    expect((await users.get("ann"))?.password_is_initial).toBe(true);
  });

  it("keeps what it does not know in the file", async () => {
    await users.create({ id: "ann", password: "12345678" });
    const path = paths().user("ann");
    await writeFile(path, `pins = ["a"]\nbig = 9007199254740993\n${await readFile(path, "utf8")}`);
    await users.patch("ann", { name: "Ann B" });
    const text = await readFile(path, "utf8");
    expect(text).toContain('pins = [ "a" ]');
    expect(text).toContain("big = 9007199254740993");
    expect((await users.get("ann"))?.name).toBe("Ann B");
  });
});
