import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, ScriptedLlm } from "../engine/testing/script";
import { AGENT, idle, type TestServer, testServer, text } from "./testing/host";

let server: TestServer;
afterEach(() => server.remove());
const ann = { id: "ann" };
const OTHER = { project: "p", agent: "b" };

async function put(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "x");
  return path;
}

describe("deleting a Session", () => {
  it("removes Traces, scratchpad, recovery files and queue; a Workspace that another Agent's Session uses stays", async () => {
    server = await testServer(new ScriptedLlm([answer({ say: "x" })]));
    const { layout, store } = server.host;
    const session = await server.registry.create(AGENT, {}, ann);
    await session.submit({ id: "t1", parts: text("hi"), author: "ann" }, false);
    await idle(session);
    const id = session.ref.session;
    const paths = [
      `${layout.truncatedOutput(AGENT, id)}/a.log`,
      layout.queue(AGENT, id),
      `${layout.scratchpad(AGENT, id)}/n`,
    ];
    for (const path of paths) await put(path);
    const next = await server.registry.create(OTHER, { workspace: session.meta.workspace }, ann);
    await next.submit({ id: "t2", parts: text("hi"), author: "ann" }, false);
    await idle(next);
    const workspace = session.meta.workspace ?? "";
    expect(next.meta.workspace).toBe(workspace);

    await server.registry.remove(session.ref, "ann");
    expect(await store.files(AGENT, id)).toEqual([]);
    for (const path of paths) expect(existsSync(path), path).toBe(false);
    expect(existsSync(layout.scratchpad(AGENT, id))).toBe(false);
    expect(existsSync(workspace)).toBe(true);

    await server.registry.remove(next.ref, "ann");
    expect(existsSync(workspace)).toBe(false);
  });

  it("a folder of the person's own stays, whatever it is called", async () => {
    server = await testServer(new ScriptedLlm([answer({ say: "x" })]));
    const own = dirname(await put(`${server.root}/tmp-0a1b2c3d/keep.txt`));
    server.host.workspaceRoots = async () => [server.root];
    const session = await server.registry.create(AGENT, {}, ann);
    session.meta.workspace = own;
    await session.submit({ id: "t1", parts: text("hi"), author: "ann" }, false);
    await idle(session);
    await server.registry.remove(session.ref, "ann");
    expect(existsSync(`${own}/keep.txt`)).toBe(true);
  });
});
