/**
 * Attacks on files (docs/attacks.md): what is none of a Session's business, in every spelling of its path, through the
 * tools of a Session in which everything is allowed, and through the API. Nothing is read, nothing is written, and each
 * attempt is an error, not a crash.
 */
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AttackedServer, MARK } from "../testing/attack";

let server: AttackedServer;
let before: string[];
beforeAll(async () => {
  server = await AttackedServer.start();
  before = await server.contents();
});
afterAll(() => server.stop());

const ARGON = "$argon2";
const secretIn = (text: string) => text.includes(MARK) || text.includes(ARGON) || text.includes(server.api.made.secret);

/** One path in many spellings. */
function spellings(path: string): string[] {
  const rest = relative(server.workspace, path);
  return [
    path,
    rest,
    `./x/../${rest}`,
    `${server.workspace}/${rest}`,
    path.replaceAll("/", "//"),
    `${dirname(path)}/./${basename(path)}`,
    `${path}/`,
    `${path}/.`,
    `/proc/self/root${path}`,
    `/proc/self/cwd/${relative(process.cwd(), path)}`,
    `/dev/fd/../../../..${path}`,
    `file://${path}`,
    rest.replaceAll("..", "%2e%2e"),
    encodeURIComponent(rest),
    rest.replaceAll("/", "\\"),
    rest.replaceAll("..", "．．").replaceAll("/", "／"),
    rest.replaceAll("..", "․․"),
    path.toUpperCase(),
    `${path}\0`,
    `${path}\0.txt`,
    `notes.txt\0${path}`,
    ` ${path}`,
    `${path} `,
    `~${path}`,
    `${"./".repeat(3_000)}${rest}`,
    `${"a".repeat(300)}/../${rest}`,
    `${"x/".repeat(400)}${"../".repeat(400)}${rest}`,
  ];
}
/** All spellings of some places, the plainest of the others. */
const everyPlace = () =>
  Object.values(server.places).flatMap((path, i) => (i % 5 === 0 ? spellings(path) : spellings(path).slice(0, 3)));

it("AT01 AT02 AT03 AT05 AT10 reading from a tool call: refused in every spelling, and nothing of it is in the Trace", async () => {
  const paths = [
    ...everyPlace(),
    "/etc/shadow",
    "/proc/self/environ",
    `/proc/${process.pid}/environ`,
    "/proc/1/environ",
  ];
  const outputs = await server.tools([
    ...paths.map((path) => ({ name: "read_file", args: { path } })),
    ...Object.values(server.places).map((path) => ({ name: "read_image", args: { path } })),
  ]);
  for (const [i, { output, stop_reason }] of outputs.entries()) {
    expect(secretIn(output), paths[i]).toBe(false);
    expect(stop_reason, `${paths[i]}: ${output.slice(0, 200)}`).toBe("failed");
  }
  const records = await server.api.call(server.bob, "GET", `${server.session}/messages?limit=1000`);
  expect(records.status).toBe(200);
  expect(secretIn(records.text)).toBe(false);
});

it("AT01 AT02 AT03 AT05 AT10 reading from the API: an error in every spelling, no 500, and no byte of it", async () => {
  for (const path of everyPlace()) {
    for (const route of ["files/content?as=text&path=", "files?path="]) {
      const { status, text } = await server.api.call(
        server.bob,
        "GET",
        `${server.session}/${route}${encodeURIComponent(path)}`,
      );
      expect(secretIn(text), path).toBe(false);
      expect([400, 403, 404], `${path}: ${text.slice(0, 200)}`).toContain(status);
    }
  }
  for (const name of ["../notes.txt", `../${server.privateSession}/notes.txt`, "%2e%2e", "a\\..\\b", "x\0", "．．"]) {
    const url = `${server.session}/scratchpad/${encodeURIComponent(name)}`;
    expect((await server.api.call(server.bob, "GET", url)).status, name).toBe(404);
  }
  const traces = "/api/projects/alpha/agents/default_agent/traces";
  for (const rest of ["", "/1", "/1/raw", "/1/records/1", "/1/analysis", "/bundle", "/search?q=MARKED"]) {
    const url = `${traces}/${server.privateSession}${rest}`;
    expect((await server.api.call(server.bob, "GET", url).catch(() => ({ status: 404 }))).status, url).toBe(404);
  }
});

it("AT11 writing from a tool call and from the API: refused in every spelling, every byte is as it was", async () => {
  const paths = [...everyPlace(), "/etc/penguin-attack", join(server.api.base, "made.txt"), "../made.txt"];
  const outputs = await server.tools([
    ...paths.map((path) => ({ name: "write_file", args: { path, content: "OWNED" } })),
    ...Object.values(server.places).map((path) => ({
      name: "edit_file",
      args: { path, old_string: MARK, new_string: "OWNED" },
    })),
  ]);
  const stayed = outputs.flatMap(({ stop_reason }, i) => (stop_reason === "completed" ? (paths[i] ?? []) : []));
  // Spellings that name something below the Workspace are files of its own.
  for (const path of stayed) expect(await readFile(join(server.workspace, path), "utf8"), path).toBe("OWNED");
  for (const path of paths) {
    const url = `${server.session}/files/content?replace=1&path=${encodeURIComponent(path)}`;
    const sent = await server.api.send(server.bob, "POST", url, {
      headers: { "content-type": "application/octet-stream" },
      body: "OWNED",
    });
    expect(sent.status, `${path}: ${sent.text}`).toBeLessThan(500);
  }
  expect(await server.contents().then((after) => after.map((text, i) => text === before[i]))).not.toContain(false);
  for (const path of ["/etc/penguin-attack", join(server.api.base, "made.txt")]) {
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  }
});

it("AT12 links that lead there are not followed, neither by tools nor by the API; nor one that is swapped while it is used", async () => {
  const { workspace, places } = server;
  const names = Object.values(places).map((_, i) => `link-${i}`);
  for (const [i, path] of Object.values(places).entries()) {
    await symlink(path, join(workspace, names[i] ?? ""));
    await symlink(dirname(path), join(workspace, `folder-${i}`));
  }
  const through = Object.values(places).map((path, i) => join(`folder-${i}`, basename(path)));
  const outputs = await server.tools(
    [...names, ...through].flatMap((path) => [
      { name: "read_file", args: { path } },
      { name: "write_file", args: { path, content: "OWNED" } },
    ]),
  );
  for (const { output, stop_reason } of outputs) expect([secretIn(output), stop_reason]).toEqual([false, "failed"]);
  for (const path of [...names, ...through]) {
    const { status, text } = await server.api.call(server.bob, "GET", `${server.session}/files/content?path=${path}`);
    expect([secretIn(text), status >= 400 && status < 500], `${path} ${status}`).toEqual([false, true]);
  }

  // A race: the same name is now an honest file, now a link to the secret.
  const target = places["another Project's config"] ?? "";
  let swapping = true;
  const swaps = (async () => {
    for (let i = 0; swapping; i++) {
      await rm(join(workspace, "next"), { force: true });
      if (i % 2) await symlink(target, join(workspace, "next"));
      else await writeFile(join(workspace, "next"), "honest");
      await rename(join(workspace, "next"), join(workspace, "swap.txt"));
    }
  })();
  const order = (i: number) =>
    i % 2
      ? { name: "write_file", args: { path: "swap.txt", content: "OWNED" } }
      : { name: "read_file", args: { path: "swap.txt" } };
  const raced = await server.tools(Array.from({ length: 120 }, (_, i) => order(i)));
  for (let i = 0; i < 40; i++) {
    const { status, text } = await server.api.call(server.bob, "GET", `${server.session}/files/content?path=swap.txt`);
    expect([secretIn(text), status < 500]).toEqual([false, true]);
  }
  swapping = false;
  await swaps;
  expect(raced.some(({ output }) => secretIn(output))).toBe(false);
  expect(await server.contents()).toEqual(before);
});

it("AT13 the folder picker shows nothing outside of the allowed folders, and no Session begins there", async () => {
  await mkdir(join(server.workspace, "inside"));
  await symlink("/etc", join(server.workspace, "to-etc"));
  const folders = "/api/projects/alpha/agents/default_agent/folders";
  const outside = [
    "/",
    "/etc",
    "/usr/bin",
    dirname(server.workspace),
    server.api.root,
    join(server.workspace, "to-etc"),
  ];
  const given = [
    ...outside,
    ...outside.flatMap((path) => [`${path}/.`, `${server.workspace}/..${path}`, `/proc/self/root${path}`, `${path}\0`]),
  ];
  for (const path of given) {
    const listed = await server.api.call(server.bob, "GET", `${folders}?path=${encodeURIComponent(path)}`);
    expect(listed.status, `${path}: ${listed.text}`).toBe(400);
    const body = { workspace: path, model: { provider: "p", model_id: "m" } };
    const made = await server.api.call(server.bob, "POST", "/api/projects/alpha/agents/default_agent/sessions", body);
    expect(made.status, path).toBe(400);
  }
  const own = await server.api.call(server.bob, "GET", `${folders}?path=${encodeURIComponent(server.workspace)}`);
  expect(own.body.folders.map(({ name }: { name: string }) => name)).toContain("inside");
  expect(own.text).not.toContain("to-etc");
});
