import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { layout } from "../paths";
import { TomlFiles } from "../toml-file";
import { ProjectIsolation } from "./isolation";

it("AC4 what a Project decides about commands: defaults, kept keys, and the stricter choice for what cannot be read", async () => {
  const root = await mkdtemp(join(tmpdir(), "penguin-isolation-"));
  const file = layout(root).projectConfig("p");
  await mkdir(layout(root).project("p"));
  const isolation = new ProjectIsolation(layout(root), new TomlFiles());
  expect(await isolation.of("p")).toEqual({ required: false, network: "isolated" });
  await writeFile(file, 'name = "P"\n[isolation]\nnote = "kept"\n');
  await isolation.put("p", { required: true, network: "host" });
  expect(await isolation.of("p")).toEqual({ required: true, network: "host" });
  expect(await readFile(file, "utf8")).toMatch(/name = "P"[\s\S]*note = "kept"/);
  for (const text of ['[isolation]\nrequired = "yes"\nnetwork = "all"\n', "isolation = 3\n", "isolation = [\n"]) {
    await writeFile(file, text);
    expect(await isolation.of("p"), text).toEqual({ required: true, network: "off" });
  }
  await rm(root, { recursive: true, force: true });
});
