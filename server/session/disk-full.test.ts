/** FS04, FS05, SR05: a data root on a disk that is really full. */
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { SmallDisk } from "../../e2e/support/small-disk";
import { parseTrace } from "../../lib/trace/jsonl";
import { answer, historyProblem, ScriptedLlm, ScriptedTools } from "../engine/testing/script";
import type { Session } from "./session";
import { AGENT, idle, Reader, type TestServer, testServer, text, until } from "./testing/host";

const ann = { id: "ann" };
const LONG = "long ".repeat(20_000);

type Skip = (why: string) => never;

/** A test server on a disk of 2 MB. */
async function tiny(skip: Skip, llm: ScriptedLlm, tools?: ScriptedTools) {
  const server = await testServer(llm, tools);
  const disk = SmallDisk.mount(server.root, "2m");
  onTestFinished(async () => {
    disk?.unmount();
    await server.remove();
  });
  return { server, disk: disk ?? skip("a small disk cannot be mounted here") };
}

async function send(session: Session, id: string, value = id): Promise<void> {
  await session.submit({ id, parts: text(value), author: "ann" }, false);
  await idle(session);
}
function watch(session: Session): Reader {
  const reader = new Reader();
  session.subscribe(null, reader);
  return reader;
}
/** Every line parses but those that the full disk cut, and none is fused with another. */
async function torn(server: TestServer, session: Session): Promise<number> {
  const raw = await server.raw(session);
  const { damaged } = parseTrace(raw);
  for (const line of raw.split("\n").slice(0, -1)) expect(line.split('{"timestamp"').length).toBeLessThanOrEqual(2);
  return damaged.length;
}

describe("a full disk", () => {
  it("FS04, SR05: the prompt is not saved and comes back; other Sessions are told the same; with space all go on, without a restart", async ({
    skip,
  }) => {
    const llm = new ScriptedLlm([answer({ say: "one" }), answer({ say: "other" }), answer({ say: "on" })]);
    const { server, disk } = await tiny(skip, llm);
    const session = await server.registry.create(AGENT, {}, ann);
    const other = await server.registry.create(AGENT, {}, ann);
    const seen = watch(session);
    await send(session, "t1");
    await send(other, "o1");
    disk.fill();
    await send(session, "t2", LONG);
    expect(seen.state).toMatchObject({ state: "idle", error: { code: "disk_full", text: LONG } });
    expect(seen.state.error?.message).toMatch(/^Not saved/);
    expect(llm.requests).toHaveLength(2);
    // The other can be read, and its prompt fails as visibly.
    expect(watch(other).records.length).toBeGreaterThan(3);
    await send(other, "o2", LONG);
    expect(watch(other).state.error).toMatchObject({ code: "disk_full" });
    await expect(session.patch({ title: "t".repeat(100) }, "ann")).rejects.toMatchObject({ code: "disk_full" });
    const fresh = await server.registry.create(AGENT, {}, ann).catch(() => null);
    disk.free();

    await send(session, "t3");
    expect(seen.state).toEqual({ state: "idle" });
    await send(other, "o3");
    if (fresh) await send(fresh, "f1");
    expect(await torn(server, session)).toBeLessThanOrEqual(1);
    expect(await torn(server, other)).toBeLessThanOrEqual(1);

    server.restart();
    const again = await server.registry.open(session.ref);
    if (!again) throw new Error("not found");
    await send(again, "t4");
    const asked = llm.requests.at(-1)?.history ?? [];
    expect(historyProblem(asked)).toBe("");
    expect(asked.map((one) => (one.type === "text" ? one.text : one.type))).toEqual(["t1", "one", "t3", "on", "t4"]);
  });

  it("FS05: the disk fills up while a tool runs: the Task ends visibly, the call is answered, and the next prompt goes on", async ({
    skip,
  }) => {
    let release = () => {};
    const tools = new ScriptedTools(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    const work = { call: "work", id: "c1", args: JSON.stringify({ x: "y" }) };
    const llm = new ScriptedLlm([answer(work), answer({ say: LONG }), answer({ say: "on" })]);
    const { server, disk } = await tiny(skip, llm, tools);
    const session = await server.registry.create(AGENT, { approval_mode: "allow-all" }, ann);
    const seen = watch(session);
    await session.submit({ id: "t1", parts: text("t1"), author: "ann" }, false);
    await until(() => tools.started.length === 1);
    disk.fill();
    release();
    await idle(session);
    expect(seen.state.error?.code).toBe("disk_full");
    disk.free();
    await send(session, "t2");
    expect(seen.state).toEqual({ state: "idle" });
    expect(historyProblem(llm.requests.at(-1)?.history ?? [])).toBe("");
    expect(await torn(server, session)).toBeLessThanOrEqual(1);
    const kinds = (await server.records(session)).map(({ payload }) => ("type" in payload ? payload.type : "meta"));
    expect(kinds.filter((kind) => kind === "tool_call")).toHaveLength(1);
  });

  it("FS05: what cannot be queued is not taken, and the same message is taken later; what waits can be withdrawn", async ({
    skip,
  }) => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tools = new ScriptedTools(() => gate);
    const llm = new ScriptedLlm([answer({ call: "work", id: "c1" }), answer({ say: "on" }), answer({ say: "end" })]);
    const { server, disk } = await tiny(skip, llm, tools);
    const session = await server.registry.create(AGENT, { approval_mode: "allow-all" }, ann);
    const seen = watch(session);
    const queue = (id: string) => session.submit({ id, parts: text(id), author: "ann" }, true);
    const steer = () => session.steer({ id: "s1", text: "mind", images: [], author: "ann" });
    await queue("t1");
    await until(() => tools.started.length === 1);
    await queue("waits");
    disk.fill();
    await expect(queue("t2")).rejects.toMatchObject({ code: "ENOSPC" });
    await expect(steer()).rejects.toMatchObject({ code: "ENOSPC" });
    expect(seen.queue.items.map(({ id }) => id)).toEqual(["waits"]);
    expect(await session.recall("waits")).toMatchObject({ id: "waits" });
    expect(seen.queue.items).toEqual([]);
    disk.free();
    await Promise.all([queue("t2"), steer()]);
    release();
    await until(() => session.status === "idle" && session.queue.items.length === 0);
    const said = (llm.requests.at(-1)?.history ?? []).flatMap((one) => (one.type === "text" ? [one.text] : []));
    expect(said).toEqual(["t1", expect.stringContaining("mind"), "on", "t2"]);
    server.restart();
    expect((await server.registry.open(session.ref))?.queue.items).toEqual([]);
  });

  it("SR05: a record that the full disk cut in two costs only itself", async ({ skip }) => {
    const llm = new ScriptedLlm([answer({ say: "one" }), answer({ say: "on" })]);
    const { server, disk } = await tiny(skip, llm);
    const session = await server.registry.create(AGENT, {}, ann);
    await send(session, "t1");
    const [file] = await server.host.store.files(AGENT, session.ref.session);
    const path = server.host.layout.traceFile(AGENT, file?.date ?? "", session.ref.session, 1);
    const before = readFileSync(path, "utf8");
    disk.fill();
    // The last page of the file takes a part of it.
    await send(session, "t2", LONG);
    const cut = readFileSync(path, "utf8");
    expect(cut.startsWith(before)).toBe(true);
    expect(cut.length).toBeGreaterThan(before.length);
    disk.free();
    await send(session, "t3");
    expect(await torn(server, session)).toBe(1);
    server.restart();
    const again = await server.registry.open(session.ref);
    if (!again) throw new Error("not found");
    expect(watch(again).records.length).toBe((await server.records(session)).length);
    await send(again, "t4");
    const asked = llm.requests.at(-1)?.history ?? [];
    expect(asked.map((one) => (one.type === "text" ? one.text : one.type))).toEqual(["t1", "one", "t3", "on", "t4"]);
  });
});
