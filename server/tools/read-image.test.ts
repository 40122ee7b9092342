import { existsSync } from "node:fs";
import { copyFile, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { inspectImage } from "./image-data";
import type { ToolContext } from "./registry";
import { type Bench, bench, REF } from "./test-session";

let b: Bench | null = null;
afterEach(async () => {
  await b?.cleanup();
  b = null;
});
async function make(changes: Partial<ToolContext>): Promise<Bench> {
  b = await bench(changes);
  return b;
}

/** Chunks of the right lengths; nothing here looks at pixels. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", Buffer.alloc(8)), chunk("IEND", Buffer.alloc(0))]);
}
const GIF = Buffer.concat([Buffer.from("GIF89a", "latin1"), Buffer.from([2, 0, 3, 0, 0, 0, 0, 0x2c, 0x3b])]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 5, 0, 4, 1, 0, 0, 0, 0xff, 0xd9]);

describe("inspectImage", () => {
  it.each([
    ["PNG", png(3, 2), { mime: "image/png", width: 3, height: 2 }],
    ["GIF", GIF, { mime: "image/gif", width: 2, height: 3 }],
    ["JPEG", JPEG, { mime: "image/jpeg", width: 4, height: 5 }],
  ])("knows a %s by its bytes", (_, bytes, image) => {
    expect(inspectImage(bytes)).toMatchObject({ ok: true, image });
  });

  it("a file that breaks off anywhere is no image", () => {
    const whole = png(3, 2);
    for (let length = 0; length < whole.length - 4; length++) {
      expect(inspectImage(whole.subarray(0, length)).ok, `${length} bytes`).toBe(false);
    }
  });

  const shared = join(process.env.PENGUIN_SHARED ?? join(import.meta.dirname, "../../../shared"), "cases", "img");
  if (!existsSync(shared)) console.warn("skipped: the shared image cases are not here");
  it.skipIf(!existsSync(shared))("cases/img: each passes or is refused for what it is", async () => {
    const judge = async (name: string) => inspectImage(await readFile(join(shared, name)));
    expect(await judge("not-an-image.png")).toMatchObject({ ok: false, reason: expect.stringContaining("not a PNG") });
    expect(await judge("truncated.png")).toMatchObject({ ok: false, reason: expect.stringContaining("breaks off") });
    expect(await judge("tall-64x9000.png")).toMatchObject({ ok: true, image: { width: 64, height: 9000 } });
    expect(await judge("wide-2162x322.png")).toMatchObject({ ok: true, image: { width: 2162, height: 322 } });
  });
});

describe("read_image, describe_image (FF 6.3)", () => {
  it("one is for models that see, the other for those that do not", async () => {
    const names = (bench: Bench) => bench.tools.schemas().map(({ name }) => name);
    expect(names(await make({ vision: true }))).toContain("read_image");
    expect(names(await make({ vision: true }))).not.toContain("describe_image");
    expect(names(await make({ vision: false }))).toContain("describe_image");
  });

  it("gives the picture as an image of the output", async () => {
    const { workspace, run } = await make({ vision: true });
    await writeFile(join(workspace, "p.png"), png(3, 2));
    const { output, payload } = await run("read_image", { source: "p.png" });
    expect(output).toMatch(/^image\/png, 3 x 2, \d+ B$/);
    expect(payload.images).toEqual([`data:image/png;base64,${png(3, 2).toString("base64")}`]);
  });

  it("section 7: no picture from elsewhere, also not through a link; a text is no picture", async () => {
    const { workspace, run, context } = await make({ vision: true });
    await copyFile("/etc/hostname", join(workspace, "text.png"));
    await symlink("/etc/hostname", join(workspace, "link.png"));
    const said = async (source: string) => (await run("read_image", { source })).output;
    expect(await said("link.png")).toMatch(/^Refused/);
    expect(await said(context.layout.vault(REF))).toMatch(/^Refused/);
    expect(await said("text.png")).toContain("not a PNG, JPEG, GIF or WebP image");
    expect(await said("none.png")).toContain("none.png");
  });

  it("section 7: a picture from the web asks like a write, comes from public addresses only, and is judged by its bytes", async () => {
    const asked: unknown[] = [];
    const { run, tools } = await make({
      vision: true,
      fetchWeb: async (address, { maxBytes }) => {
        asked.push([address, maxBytes]);
        const bytes = address.endsWith("text") ? Buffer.from("words") : png(3, 2);
        return { ok: true, bytes, type: "image/png", url: address };
      },
    });
    const permission = (source: string) =>
      tools.permission({ name: "read_image", arguments: JSON.stringify({ source }) });
    expect(["p.png", "/tmp/p.png", "a:b.png"].map(permission)).toEqual(["r", "r", "r"]);
    expect(["https://a.test/p.png", " HTTP://a.test/p", "file:///p"].map(permission)).toEqual(["rw", "rw", "rw"]);
    const { output, payload } = await run("read_image", { source: "https://a.test/p.png" });
    expect(output).toMatch(/^image\/png, 3 x 2/);
    expect(payload.images).toHaveLength(1);
    expect(await run("read_image", { source: "https://a.test/text" })).toMatchObject({
      output: '"https://a.test/text" cannot be used: its content is not a PNG, JPEG, GIF or WebP image.',
      stop_reason: "failed",
    });
    expect(asked[0]).toEqual(["https://a.test/p.png", 5 * 1024 * 1024]);
    const real = await make({ vision: true });
    const refused = await real.run("read_image", { source: "http://127.0.0.1:1/x.png" });
    expect(refused).toMatchObject({ output: expect.stringContaining("not public"), stop_reason: "failed" });
  });

  it("a description is asked for with the prompt; what fails is said and failed", async () => {
    const asked: unknown[] = [];
    const { workspace, run } = await make({
      describeImage: async (url, prompt) => {
        asked.push([url.slice(0, 22), prompt]);
        return prompt === "fail" ? { ok: false, message: "no model" } : { ok: true, text: "a red dot" };
      },
    });
    await writeFile(join(workspace, "p.png"), png(1, 1));
    expect(await run("describe_image", { source: "p.png", prompt: "what?" })).toMatchObject({ output: "a red dot" });
    const failed = await run("describe_image", { source: "p.png", prompt: "fail" });
    expect(failed).toMatchObject({ output: "no model", stop_reason: "failed" });
    expect(asked[0]).toEqual(["data:image/png;base64,", "what?"]);
  });
});
