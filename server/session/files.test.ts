import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ScriptedLlm } from "../engine/testing/script";
import { SessionFiles } from "./files";
import type { Session } from "./session";
import { AGENT, type TestServer, testServer } from "./testing/host";

const ann = { id: "ann" };
let server: TestServer;
let session: Session;
let files: SessionFiles;
let workspace: string;

beforeEach(async () => {
  server = await testServer(new ScriptedLlm([]));
  await mkdir(server.host.layout.agent(AGENT), { recursive: true });
  session = await server.registry.create(AGENT, {}, ann);
  workspace = session.meta.workspace ?? "";
  await mkdir(join(workspace, "src"));
  await writeFile(join(workspace, "src", "a.txt"), "hello");
  await writeFile(join(workspace, "page.html"), "<script>alert(1)</script>");
  await symlink("/etc/passwd", join(workspace, "link"));
  files = await SessionFiles.of(server.registry, session.ref, ann);
});
afterEach(() => server.remove());

it("lists a folder of the Workspace, folders first; links are named and never followed", async () => {
  const { entries, path } = await files.list("");
  expect(path).toBe("");
  expect(entries.map(({ name, type }) => `${name} ${type}`)).toEqual(["src folder", "link link", "page.html file"]);
  expect((await files.list("src")).entries).toMatchObject([{ name: "a.txt", bytes: 5 }]);
});

it.runIf(process.platform === "linux")(
  "a name that is no UTF-8 is listed too, and says that it is no text",
  async () => {
    await writeFile(Buffer.concat([Buffer.from(`${workspace}/caf`), Buffer.from([0xe9])]), "latin 1");
    const { entries } = await files.list("");
    expect(entries.find(({ no_text }) => no_text)).toMatchObject({ name: "caf\ufffd", type: "file", bytes: 7 });
    expect(entries).toHaveLength(4);
  },
);

it("FS14 AC4 opens nothing outside: parents, absolute paths, links, secrets, other parts of the data root", async () => {
  await writeFile(join(workspace, ".vault.toml"), "KEY='x'");
  const { layout } = server.host;
  for (const path of [
    "../..",
    "/etc/passwd",
    "link",
    "src/../../../x",
    ".vault.toml",
    layout.projectConfig("p"),
    layout.traces(AGENT),
    layout.systemConfig(AGENT),
  ]) {
    await expect(files.read(path, "text"), path).rejects.toMatchObject({
      code: expect.stringMatching(/not_found|bad/),
    });
    await expect(files.save(path, Buffer.from("x"), true), path).rejects.toMatchObject({ appError: true });
  }
  expect((await files.list("")).entries.map(({ name }) => name)).not.toContain(".vault.toml");
  await expect(SessionFiles.of(server.registry, { ...session.ref, session: "none" }, ann)).rejects.toMatchObject({
    code: "not_found",
  });
});

it("shows a page in an origin of its own, without scripts unless asked for; everything unknown is only saved", async () => {
  const page = await files.read("page.html", "page");
  expect(page.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
  const running = await files.read("page.html", "page_with_scripts");
  expect(running.headers.get("content-security-policy")).toMatch(/^sandbox allow-scripts; default-src 'none'/);
  expect(running.headers.get("content-security-policy")).not.toMatch(/allow-same-origin|connect-src|https?:/);
  const other = await files.read("page.html", "inline");
  expect(other.headers.get("content-type")).toBe("application/octet-stream");
  expect(other.headers.get("content-disposition")).toMatch(/^attachment/);
  for (const answer of [page, running, other]) {
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    await answer.body?.cancel();
  }
});

it("AC3 masks values of the vault in what leaves the server, across chunks, and changes no other byte", async () => {
  const secret = "vault-välue-12345";
  server.host.agents.vault = async () => ({ KEY: secret });
  const bytes = Buffer.concat([Buffer.alloc(65_530, 0xff), Buffer.from(secret), Buffer.from([0, 0xfe])]);
  await writeFile(join(workspace, "raw.bin"), bytes);
  const masked = await SessionFiles.of(server.registry, session.ref, ann);
  const sent = Buffer.from(await (await masked.read("raw.bin", "download")).arrayBuffer());
  expect(sent.equals(Buffer.concat([Buffer.alloc(65_530, 0xff), Buffer.from("***"), Buffer.from([0, 0xfe])]))).toBe(
    true,
  );
});

it("saves into the Workspace, replaces only when told to, and finds which names are files", async () => {
  await files.save("out/new.bin", Buffer.from([1, 2]), false);
  expect(await readFile(join(workspace, "out", "new.bin"))).toEqual(Buffer.from([1, 2]));
  await expect(files.save("out/new.bin", Buffer.from([3]), false)).rejects.toMatchObject({ code: "exists" });
  await files.save("out/new.bin", Buffer.from([3]), true);
  const names = ["src/a.txt", join(workspace, "page.html"), "src", "nothing.md", "/etc/passwd", "link"];
  expect(await files.known(names)).toEqual([
    { name: "src/a.txt", path: "src/a.txt", bytes: 5 },
    { name: join(workspace, "page.html"), path: "page.html", bytes: 25 },
  ]);
});
