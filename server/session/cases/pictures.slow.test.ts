/** Case KB05 at full size: twenty pictures of 3 MB in one Session. */
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { isElided } from "../../../lib/api/elide";
import type { InputPart } from "../../../lib/api/schemas";
import { AGENT, idle } from "../testing/host";
import { CaseServer, ofType, page, send, snapshot } from "./fixtures/server";

const MIB = 1024 * 1024;
/** A GIF of this many bytes, as far as its head and its end tell. */
function picture(bytes: number): InputPart {
  const gif = Buffer.alloc(bytes, "pixels");
  gif.write("GIF89a", 0, "latin1");
  gif.set([2, 0, 3, 0, 0, 0, 0, 0x2c], 6);
  gif[bytes - 1] = 0x3b;
  return { type: "image", data_url: `data:image/gif;base64,${gif.toString("base64")}` };
}

it("KB05 twenty pictures of 3 MB: the Session opens in under 3 s, the page gets short fields, a picture is fetched by its address", async () => {
  const c = await CaseServer.start();
  const session = await c.create("crlf");
  const parts = Array.from({ length: 4 }, () => picture(2.9 * MIB));
  await session.submit({ id: "t0", parts: [{ type: "text", text: "look" }, ...parts], author: "ann" }, false);
  await idle(session);
  const [path = ""] = await c.files(session);
  const [meta = "", info = "", ...turn] = readFileSync(path, "utf8").trimEnd().split("\n");
  // Four more such Tasks, as they would have been written.
  for (const id of ["t1", "t2", "t3", "t4"]) {
    appendFileSync(path, `${turn.map((line) => line.replace('"t0"', `"${id}"`)).join("\n")}\n`);
  }
  expect([meta, info].every((line) => line.length < 64 * 1024)).toBe(true);
  expect(statSync(path).size).toBeGreaterThan(60 * MIB);
  // The same bytes read and parsed by nothing but Node: what this machine can do at this moment.
  let began = performance.now();
  for (const text of readFileSync(path, "utf8").trimEnd().split("\n")) JSON.parse(text);
  const floor = performance.now() - began;
  began = performance.now();
  const again = await c.reopen(session);
  const sent = snapshot(again);
  const took = performance.now() - began;
  console.info(
    `opened ${Math.round(statSync(path).size / MIB)} MiB in ${Math.round(took)} ms, floor ${Math.round(floor)} ms`,
  );
  expect(took).toBeLessThan(Math.max(3_000, 2 * floor));
  expect(JSON.stringify(sent).length).toBeLessThan(MIB);
  const images = sent.records.filter(({ message }) => message.payload.type === "image_url");
  expect(images).toHaveLength(20);
  for (const { message } of images) expect(isElided(Object(message.payload).image_url)).toBe(true);
  const [first] = images;
  const { file_index = 0, line = 0 } = first?.address ?? {};
  const whole = await c.server.host.store.record(AGENT, session.ref.session, file_index, line);
  expect(JSON.stringify(whole).length).toBeGreaterThan(3 * MIB);
  expect(page(again).tasks).toHaveLength(5);
  await send(again, "t6");
  expect(ofType(await c.records(again), "request_end").at(-1)).toMatchObject({ status: "completed" });
  await c.check(again);
}, 300_000);
