import { expect, it } from "vitest";
import { FACTORY_RULES, readPattern, spellings } from "./command-rules";

function ruleFor(command: string): string | undefined {
  const texts = spellings(command);
  return FACTORY_RULES.find(({ pattern }) => {
    const read = readPattern(pattern);
    return read.ok && texts.some((text) => read.regexp.test(text));
  })?.name;
}

it.each([
  ["rm -rf /", "wipe"],
  ["cd x && rm -r -f ~/", "wipe"],
  ["sudo rm --no-preserve-root -rf /*", "wipe"],
  ['rm -fr "$HOME"', "wipe"],
  ["r\\m -rf '/'", "wipe"],
  ["rm  -rf \\\n /", "wipe"],
  ["rm$IFS-rf$IFS/", "wipe"],
  ["mkfs.ext4 /dev/sda1", "disk"],
  ["dd if=/dev/zero bs=1M of=/dev/nvme0n1", "disk"],
  ["cat x > /dev/sda", "disk"],
  ["echo bye; sudo reboot", "power"],
  ["true\nshutdown now", "power"],
  [":(){ :|:& };:", "fork-bomb"],
])("the rules that come with it know %j", (command, rule) => {
  expect(ruleFor(command)).toBe(rule);
});

it.each([
  "rm -rf ./build",
  "rm -rf /tmp/x",
  "rm -rf ~/project/dist",
  "rm /x",
  "dd if=a of=/dev/null",
  "echo done > /dev/null",
  "grep -r shutdown src",
  "npm run reboot-tests",
  "rm -rf node_modules && npm ci",
])("and leave alone %j", (command) => {
  expect(ruleFor(command)).toBeUndefined();
});

it("a pattern that is none, or that fits everything, is told", () => {
  expect(readPattern("rm (")).toMatchObject({ ok: false });
  expect(readPattern("(rm)*")).toEqual({ ok: false, why: "It fits every command." });
  expect(readPattern("\\brm\\b")).toMatchObject({ ok: true });
});
