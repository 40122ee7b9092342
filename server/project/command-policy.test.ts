import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { layout } from "../paths";
import { TomlFiles } from "../toml-file";
import { CommandPolicy } from "./command-policy";

let root: string;
let policy: CommandPolicy;
const file = () => layout(root).projectConfig("p");
const write = (text: string) => writeFile(file(), text);
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "penguin-policy-"));
  await mkdir(layout(root).project("p"));
  policy = new CommandPolicy(layout(root), new TomlFiles());
});
afterEach(() => rm(root, { recursive: true, force: true }));

const refused = (cmd: string, name = "exec_command") =>
  policy.veto("p", {
    name,
    arguments: JSON.stringify(name === "exec_command" ? { cmd } : { process_id: "x", chars: cmd }),
  });
const rule = (name: string, pattern: string, more = {}) => ({ name, pattern, description: "", enabled: true, ...more });

it("without rules the factory set holds, an empty list is none, and a policy can be switched off", async () => {
  expect(await refused("rm -rf /")).toMatchObject({ rule: "wipe" });
  await write("[command_policy]\nrules = []\n");
  expect(await refused("rm -rf /")).toBeNull();
  await write("[command_policy]\nenabled = false\n");
  expect(await refused("rm -rf /")).toBeNull();
});

it("AP04 a rule is found in any spelling of the words; its description is for the model; other keys of the file stay", async () => {
  await write('name = "P"\n[command_policy]\nnote = "kept"\n');
  const rules = [
    rule("off", "git", { enabled: false }),
    rule("no-push", "git push", { description: "Open a pull request." }),
  ];
  await policy.put("p", { enabled: true, rules });
  for (const text of ["git push", "cd x; git  push -f", 'git "push"', "gi\\t push", "git \\\npush"]) {
    expect(await refused(text), text).toEqual({ rule: "no-push", message: "Open a pull request." });
  }
  expect(await refused("git push\n", "input_command")).toMatchObject({ rule: "no-push" });
  for (const text of ["git pull", "gitpush"]) expect(await refused(text), text).toBeNull();
  expect(await policy.veto("p", { name: "read_file", arguments: '{"cmd":"git push"}' })).toBeNull();
  expect(await policy.veto("p", { name: "exec_command", arguments: "not json" })).toBeNull();
  const text = await readFile(file(), "utf8");
  expect(text).toContain('name = "P"');
  expect(text).toContain('note = "kept"');
  expect(await policy.view("p")).toEqual({ enabled: true, rules, factory: false });
  await policy.put("p", { enabled: true, rules: null });
  expect((await policy.view("p")).factory).toBe(true);
});

it("what cannot be read refuses, and is told: a broken pattern, a rule without one, a section that is none, a broken file", async () => {
  await write('[[command_policy.rules]]\nname = "bad"\npattern = "("\n');
  expect(await refused("ls")).toMatchObject({ rule: "bad" });
  expect((await policy.view("p")).rules[0]?.problem).toMatch(/Unterminated group/);
  await write('[[command_policy.rules]]\nname = "stopped"\n');
  expect(await refused("ls")).toMatchObject({ rule: "rule 1" });
  await write("command_policy = 3\n");
  expect(await refused("ls")).toMatchObject({ rule: "unreadable" });
  await write("command_policy = [\n");
  expect(await refused("ls")).toMatchObject({ rule: "unreadable" });
});

it("a pattern that takes for ever is stopped and refuses", async () => {
  await policy.put("p", { enabled: true, rules: [rule("slow", "(a+)+$")] });
  expect(await refused(`${"a".repeat(60)}b`)).toMatchObject({
    rule: "slow",
    message: expect.stringContaining("too long"),
  });
  expect(await refused("ls")).toBeNull();
});

it("a pattern that is none and a name that stands twice are refused, and nothing is written", async () => {
  for (const rules of [[rule("a", "(")], [rule("a", "x*")], [rule("a", "x"), rule("a", "y")]]) {
    await expect(policy.put("p", { enabled: true, rules })).rejects.toMatchObject({ code: "bad_request" });
  }
  await expect(readFile(file())).rejects.toMatchObject({ code: "ENOENT" });
});
