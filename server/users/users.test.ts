import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deviceOf } from "../auth/device";
import { layout } from "../paths";
import { TomlFiles } from "../toml-file";
import { Hasher } from "./hash";
import { Tokens } from "./tokens";
import { INVITATION_MS, Users } from "./users";

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

describe("one-time links", () => {
  it("set a password once, within their time; the password and sign-ins before are void", async () => {
    await users.create({ id: "ann", password: "12345678" });
    const sid = await users.addSignIn("ann");
    const first = await users.invite("ann");
    expect(await users.signedIn("ann", sid)).toBeNull();
    expect(await users.verify("ann", "12345678")).toBeNull();
    expect(await readFile(paths().user("ann"), "utf8")).not.toContain(first.token.split(".")[1]);
    const second = await users.invite("ann");
    expect(await users.redeem(first.token, "abcdefgh")).toBeNull();
    expect(await users.redeem(`bob.${second.token.split(".")[1]}`, "abcdefgh")).toBeNull();
    expect(await users.redeem(second.token, "abcdefgh", Date.now() + INVITATION_MS + 1_000)).toBeNull();
    await expect(users.redeem(second.token, "short")).rejects.toEqual(code("invalid_password"));
    const both = await Promise.all([users.redeem(second.token, "abcdefgh"), users.redeem(second.token, "ijklmnop")]);
    expect(both.filter(Boolean)).toEqual(["ann"]);
    expect(await users.redeem(second.token, "abcdefgh")).toBeNull();
    expect((await users.get("ann"))?.password_is_initial).toBe(false);
  });

  it("do nothing for who is disabled or deleted", async () => {
    await users.create({ id: "ann", password: "12345678" });
    const { token } = await users.invite("ann");
    await users.patch("ann", { disabled: true });
    expect(await users.redeem(token, "abcdefgh")).toBeNull();
    await users.patch("ann", { disabled: false });
    await users.remove("ann");
    expect(await users.redeem(token, "abcdefgh")).toBeNull();
  });
});

it("whoever is disabled signs in nowhere and is no admin; enabled again, the password works and old sign-ins do not", async () => {
  await users.create({ id: "ann", password: "12345678", admin: true });
  const sid = await users.addSignIn("ann");
  await users.patch("ann", { disabled: true });
  expect(await users.signedIn("ann", sid)).toBeNull();
  expect(await users.verify("ann", "12345678")).toBeNull();
  expect(await users.admins()).toEqual([]);
  await users.patch("ann", { disabled: false });
  expect(await users.signedIn("ann", sid)).toBeNull();
  expect((await users.verify("ann", "12345678"))?.id).toBe("ann");
});

it("sign-ins say on what, since when and when they were last used", async () => {
  await users.create({ id: "ann", password: "12345678" });
  const sid = await users.addSignIn("ann", "Firefox, Linux");
  await users.addSignIn("ann");
  await users.signedIn("ann", sid);
  const [newest, oldest] = await users.signIns("ann");
  expect(newest?.device).toBeUndefined();
  expect(oldest).toMatchObject({ sid, device: "Firefox, Linux" });
  expect(Date.parse(oldest?.last_seen_at ?? "")).toBeGreaterThanOrEqual(Date.parse(oldest?.created_at ?? ""));
  expect((await users.get("ann"))?.last_sign_in_at).toBeDefined();
});

it("tokens are kept as hashes and go with their person", async () => {
  await users.create({ id: "ann", password: "12345678" });
  const tokens = new Tokens(users.store);
  const { token, view } = await tokens.create("ann", { name: "ci", scopes: ["read"], projects: ["alpha"] });
  expect(await readFile(paths().user("ann"), "utf8")).not.toContain(token.split(".")[3]);
  expect((await tokens.owner(token))?.token).toMatchObject({ id: view.id, projects: ["alpha"] });
  expect(await tokens.owner(token.replace("ann", "bob"))).toBeNull();
  expect(await tokens.owner("pht.ann.x.y")).toBeNull();
  await users.patch("ann", { disabled: true });
  expect(await tokens.owner(token)).toBeNull();
  expect(await tokens.holds("ann", view.id)).toBe(false);
  await users.patch("ann", { disabled: false });
  expect(await tokens.holds("ann", view.id)).toBe(true);
  await expect(tokens.revoke("ann", "none")).rejects.toEqual(code("not_found"));
  await users.remove("ann");
  expect(await tokens.owner(token)).toBeNull();
});

it.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
    "Chrome, Linux",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0",
    "Edge, Windows",
  ],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1", "Safari, iOS"],
  ["curl/8.5.0", "curl/8.5.0"],
  ["", undefined],
])("device of %s", (agent, device) => {
  expect(deviceOf(agent)).toBe(device);
});
