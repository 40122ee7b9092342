import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { InputPart } from "../../lib/api/schemas";
import { isPayloadOf } from "../../lib/omni/guards";
import { answer, ScriptedLlm } from "../engine/testing/script";
import { checkParts, fileName, storeParts } from "./attachments";
import { scratchpadFile } from "./scratchpad-file";
import { AGENT, idle, type TestServer, testServer, until } from "./testing/host";

const GIF = Buffer.concat([Buffer.from("GIF89a", "latin1"), Buffer.from([2, 0, 3, 0, 0, 0, 0, 0x2c, 0x3b])]);
const url = (bytes: Buffer, mime = "image/gif") => `data:${mime};base64,${bytes.toString("base64")}`;
const image = (bytes = GIF, mime?: string): InputPart => ({ type: "image", data_url: url(bytes, mime) });
const file = (name: string, text = "x"): Extract<InputPart, { type: "file" }> => ({
  type: "file",
  name,
  data_url: url(Buffer.from(text), "text/plain"),
});
const ann = { id: "ann" };
let server: TestServer | null = null;
afterEach(async () => {
  await server?.remove();
  server = null;
});

async function serve(vision: boolean, llm: ScriptedLlm): Promise<TestServer> {
  server = await testServer(llm);
  server.host.models.resolve = async (_, provider, model_id) => ({
    provider,
    model_id,
    vision,
    client_type: "openai-chat",
  });
  return server;
}

describe("checks before anything is stored", () => {
  it("an image is what its bytes say, whatever the address claims", () => {
    expect(checkParts([image(GIF, "image/png")])).toEqual([image()]);
    const broken = () => checkParts([image(Buffer.from("<svg>")), image()]);
    expect(broken).toThrow(/Image 1 cannot be used: its content is not a PNG/);
    expect(() => checkParts([image(), image(GIF.subarray(0, 9))])).toThrow(/Image 2 cannot be used: .*incomplete/);
  });

  it("KB05, FF 9.6: count and sizes are limited, each by its name", () => {
    const many = Array.from({ length: 21 }, () => file("a"));
    expect(() => checkParts(many)).toThrow(expect.objectContaining({ code: "too_many_files" }));
    const big = file("big.bin", "x".repeat(10 * 1024 * 1024 + 1));
    expect(() => checkParts([big])).toThrow(/“big.bin” is larger than 10 MB/);
    const half = file("h", "x".repeat(7 * 1024 * 1024));
    expect(() => checkParts([half, half])).toThrow(expect.objectContaining({ code: "payload_too_large" }));
  });

  it.each(["../a", "a/b", "a\\b", "..", "a\0b"])("%j is no file name", (name) => {
    expect(() => checkParts([file(name)])).toThrow(expect.objectContaining({ code: "bad_request" }));
  });

  it("FF 9.6: names keep letters and what lies beyond ASCII; a clash gets a suffix", () => {
    expect(fileName("Bericht März (1).pdf", false)).toBe("Bericht-März--1-.pdf");
    expect(fileName("名前.txt", false)).toBe("名前.txt");
    expect(fileName("con.txt", false)).toBe("_con.txt");
    expect(fileName(".vault.toml", false)).toBe("vault.toml");
    expect(fileName("a\u202etxt.exe", false)).toBe("a-txt.exe");
    expect(Buffer.byteLength(fileName(`${"ü".repeat(300)}.md`, false))).toBeLessThanOrEqual(83);
    expect(fileName("a.txt", true)).toMatch(/^a-[0-9a-f]{6}\.txt$/);
  });

  it("all or nothing: when one cannot be stored none stays", async () => {
    const { host, root } = await serve(true, new ScriptedLlm([answer()]));
    const place = { layout: host.layout, ref: AGENT, session: "s1" };
    await storeParts([file("a.txt")], place);
    const folder = host.layout.scratchpad(AGENT, "s1");
    await writeFile(join(root, "plain"), "");
    const broken = { ...place, layout: { ...host.layout, scratchpad: () => join(root, "plain", "x") } };
    await expect(storeParts([file("b.txt")], broken)).rejects.toThrow();
    expect(await readdir(folder)).toEqual(["a.txt"]);
    expect((await stat(join(folder, "a.txt"))).mode & 0o777).toBe(0o600);
  });
});

describe("FF 5.6 images and files in a prompt", () => {
  it("a model that sees gets image records, and files as paths behind the last text", async () => {
    const { registry, host, records } = await serve(true, new ScriptedLlm([answer({ say: "x" })]));
    const session = await registry.create(AGENT, {}, ann);
    const parts: InputPart[] = [{ type: "text", text: "look" }, image(), file("notes.txt", "hello")];
    await session.submit({ id: "t1", parts, author: "ann" }, false);
    await idle(session);
    const path = join(host.layout.scratchpad(AGENT, session.ref.session), "notes.txt");
    const input = (await records(session)).slice(2, 4).map(({ payload }) => payload);
    expect(input).toMatchObject([
      { type: "text", text: `look\n\n[attached file: ${path}]`, client_id: "t1", author: "ann" },
      { type: "image_url", image_url: url(GIF), client_id: "t1" },
    ]);
    expect(await readFile(path, "utf8")).toBe("hello");
  });

  it("a model that does not see gets paths, in the prompt and inside of steering", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const llm = new ScriptedLlm([answer({ wait: gate }, { say: "x" }), answer({ say: "y" })]);
    const { registry, records } = await serve(false, llm);
    const session = await registry.create(AGENT, {}, ann);
    await session.submit({ id: "t1", parts: [image()], author: "ann" }, false);
    await until(() => llm.requests.length === 1);
    await session.steer({ id: "s1", text: "and this", images: [url(GIF)], author: "ann" });
    release();
    await idle(session);
    const all = await records(session);
    expect(all.some((message) => isPayloadOf(message, "image_url"))).toBe(false);
    const texts = all.flatMap((message) => (isPayloadOf(message, "text") ? [message.payload.text] : []));
    expect(texts[0]).toMatch(/^\[attached image: .*\/upload-[0-9a-f]{8}\.gif\]$/);
    expect(texts[2]).toMatch(
      /^\[user_steering\]\nand this\n\n\[attached image: .*\/upload-[0-9a-f]{8}\.gif\]\n\[\/user_steering\]$/,
    );
  });
});

describe("GET scratchpad/:file", () => {
  it("AC3 pictures in the page, everything else to be saved, nothing from elsewhere, no value of the vault", async () => {
    const { host } = await serve(true, new ScriptedLlm([answer()]));
    const ref = { ...AGENT, session: "s1" };
    await storeParts([file("a.html", "<script>"), file("p.gif", "GIF")], {
      layout: host.layout,
      ref: AGENT,
      session: "s1",
    });
    const html = await scratchpadFile(host.layout, ref, "a.html", []);
    expect(html.headers.get("content-type")).toBe("application/octet-stream");
    expect(html.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(html.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await html.text()).toBe("<script>");
    const gif = await scratchpadFile(host.layout, ref, "p.gif", []);
    expect(gif.headers.get("content-type")).toBe("image/gif");
    expect(await gif.text()).toBe("GIF");
    await storeParts([file("out.txt", "key: a-value-of-the-vault.")], {
      layout: host.layout,
      ref: AGENT,
      session: "s1",
    });
    const masked = await scratchpadFile(host.layout, ref, "out.txt", ["a-value-of-the-vault"]);
    expect(await masked.text()).toBe("key: ***.");
    for (const name of ["..", "../s1/a.html", "a\0", "none", ".vault.toml", ""]) {
      await expect(scratchpadFile(host.layout, ref, name, []), name).rejects.toMatchObject({ code: "not_found" });
    }
  });
});
