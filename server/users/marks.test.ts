import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { layout } from "../paths";
import { TomlFiles } from "../toml-file";
import { Hasher } from "./hash";
import { changeMarks, MarksOfPeople } from "./marks";
import { Users } from "./users";

const at = (minute: number) => `2026-07-01T10:${String(minute).padStart(2, "0")}:00.000Z`;

it("pins: newest first, once each; seen never goes back in time except by 'unread'", () => {
  let marks = changeMarks({ pins: [], seen: {} }, { pin: "a/1" });
  marks = changeMarks(marks, { pin: "a/2" });
  marks = changeMarks(marks, { pin: "a/1", seen: { "a/1": at(5) } });
  expect(marks.pins).toEqual(["a/1", "a/2"]);
  expect(changeMarks(marks, { unpin: "a/2" }).pins).toEqual(["a/1"]);
  expect(changeMarks(marks, { seen: { "a/1": at(3) } }).seen).toEqual({ "a/1": at(5) });
  marks = changeMarks(marks, { unread: "a/1" });
  expect(marks.seen).toEqual({ "a/1": "" });
  expect(changeMarks(marks, { read_before: at(9) })).toEqual({ pins: ["a/1", "a/2"], seen: {}, read_before: at(9) });
});

it("marks live in the person's file, per Project, and survive a sign-in", async () => {
  const root = await mkdtemp(join(tmpdir(), "penguin-marks-"));
  const paths = layout(root);
  const files = new TomlFiles();
  const users = new Users(paths, files, new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }));
  await users.create({ id: "ann", password: "long enough" });
  const marks = new MarksOfPeople(paths, files);
  await marks.change("ann", "p", { pin: "a/1", seen: { "a/1": at(1) }, read_before: at(0) });
  await marks.change("ann", "q", { pin: "b/1" });
  await users.addSignIn("ann");
  expect(await marks.of("ann", "p")).toEqual({ pins: ["a/1"], seen: { "a/1": at(1) }, read_before: at(0) });
  expect(await marks.of("ann", "r")).toEqual({ pins: [], seen: {} });
  await marks.change("nobody", "p", { pin: "a/1" });
  expect(await users.get("nobody")).toBeNull();
  await rm(root, { recursive: true });
});
