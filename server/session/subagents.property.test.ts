import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { requestProblems } from "../../lib/omni/history";
import { parseTrace } from "../../lib/trace/jsonl";
import { answer, type Step } from "../engine/testing/script";
import { createLlm } from "../llm/adapters";
import { createDemoFetch, DEMO_BASE_URL } from "../llm/demo";
import { type FamilyServer, familyServer, settled, spawn } from "./testing/family";
import { idle, text, until } from "./testing/host";

const shared = process.env.PENGUIN_SHARED ?? join(import.meta.dirname, "../../../shared");
const corpus = join(shared, "corpus/50-subagent");
const dangling = join(shared, "cases/traces/subagent-pointer-dangling.jsonl");
const present = existsSync(corpus) && existsSync(dangling);
if (!present) console.warn(`subagent corpus SKIPPED: nothing at ${corpus} (set PENGUIN_SHARED)`);

const open: FamilyServer[] = [];
afterEach(async () => {
  for (const { server } of open.splice(0)) {
    server.registry.closeAll();
    await server.remove();
  }
});

/** Steps that each wait for their turn. */
function gated(name: string, pieces: number) {
  const gates = Array.from({ length: pieces }, () => {
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    return { promise, resolve };
  });
  const steps = gates.flatMap(({ promise }, i): Step[] => [{ wait: promise }, { say: `${name}${i}` }]);
  return { steps, next: () => gates.shift()?.resolve() };
}
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe("two children at once", () => {
  it("TR2: whatever their streams interleave, the parent's Trace has no origin record and one pointer per spawn", async () => {
    const turns = fc.array(fc.boolean(), { minLength: 4, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(turns, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), async (order, a, b) => {
        const one = gated("one", a);
        const two = gated("two", b);
        const made = await familyServer({
          parent: [answer(spawn("c1", "first"), spawn("c2", "second")), answer({ say: "done" })],
          first: [answer(...one.steps)],
          second: [answer(...two.steps)],
        });
        open.push(made);
        const session = await made.start();
        for (const which of [...order, ...Array(8).fill(true), ...Array(8).fill(false)]) {
          (which ? one : two).next();
          await tick();
        }
        await settled(session);
        const records = await made.server.records(session);
        expect(records.some(({ origin }) => origin !== undefined)).toBe(false);
        const pointers = records.flatMap(({ payload }) => (payload.type === "subagent" ? [payload.session_id] : []));
        expect(pointers).toEqual(made.children(session).map(({ ref }) => ref.session));
        expect(new Set(pointers).size).toBe(2);
        const outputs = records.flatMap(({ payload }) => (payload.type === "tool_call_output" ? [payload] : []));
        const said = (name: string, count: number) => Array.from({ length: count }, (_, i) => name + i).join("\n\n");
        const byCall = (id: string) => String(outputs.find(({ tool_call_id }) => tool_call_id === id)?.output);
        expect(byCall("c1").split("\n[subagent_id")[0]).toBe(said("one", a));
        expect(byCall("c2").split("\n[subagent_id")[0]).toBe(said("two", b));
        expect(requestProblems(made.llm.of("parent").at(-1)?.history ?? [])).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});

describe("the demo model", () => {
  it("runs a subagent that uses a tool, on a fresh machine", async () => {
    const made = await familyServer({});
    open.push(made);
    const { server } = made;
    Object.assign(server.host, {
      createLlm: () =>
        createLlm(
          { provider: "demo", model_id: "demo", client_type: "openai-chat", base_url: DEMO_BASE_URL },
          { fetch: createDemoFetch(0) },
        ),
    });
    const session = await server.registry.create(
      { project: "p", agent: "a" },
      { approval_mode: "allow-all" },
      { id: "ann" },
    );
    await session.submit(
      { id: "t1", parts: text("Ask a subagent to run `echo from-the-child`"), author: "ann" },
      false,
    );
    await settled(session);
    const records = await server.records(session);
    expect(records.filter(({ payload }) => payload.type === "subagent")).toHaveLength(1);
    const output = records.find(({ payload }) => payload.type === "tool_call_output")?.payload;
    expect(JSON.stringify(output)).toContain("from-the-child");
    await session.submit(
      { id: "t2", parts: text("Start a subagent in the background to say good news"), author: "ann" },
      false,
    );
    const told = () =>
      session.records.some(({ message: { payload } }) => payload.type === "text" && payload.sender === "harness");
    await until(() => told() && session.status === "idle");
    const last = session.records.findLast(({ message: { payload } }) => payload.type === "text")?.message.payload;
    expect(JSON.stringify(last)).toMatch(/background/i);
  });
});

describe.skipIf(!present)("Traces of others", () => {
  async function opened(files: [name: string, text: string][], name: string) {
    const made = await familyServer({ delegate: [answer({ say: "probe reply" })] });
    open.push(made);
    const { root, host, registry } = made.server;
    const workspace = join(root, "workspace");
    await mkdir(workspace);
    const agent = { project: "p", agent: "a" };
    const folder = host.layout.traceFile(agent, "2026-11-29", name, 1).replace(/\/[^/]*$/, "");
    await mkdir(folder, { recursive: true });
    for (const [file, content] of files)
      writeFileSync(join(folder, file), content.replaceAll("@ROOT@", root).replaceAll("@WORKSPACE@", workspace));
    const session = await registry.open({ ...agent, session: name });
    if (!session) throw new Error("not opened");
    return { made, session };
  }

  it("corpus 50: the next Request of the parent and what is appended equal the reference's", async () => {
    const from = join(corpus, "default_project/agents/default_agent/traces/2026-11-29");
    const names = await readdir(from);
    const parent = "session-2026-11-29-16-28-41-d8f987ec";
    const { made, session } = await opened(
      names.map((name) => [name, readFileSync(join(from, name), "utf8")]),
      parent,
    );
    const before = await made.server.raw(session);
    await session.submit({ id: "probe", parts: text("PROBE: next user message after resume"), author: "ann" }, false);
    await idle(session);
    const request = made.llm.of("delegate").at(-1);
    expect(request?.history.map(({ type }) => type)).toEqual([
      "text",
      "text",
      "tool_call",
      "tool_call_output",
      "text",
      "text",
    ]);
    expect(request?.history[3]).toMatchObject({ output: "child answer", tool_call_id: "sub1" });
    const after = await made.server.raw(session);
    expect(after.startsWith(before)).toBe(true);
    const appended = parseTrace(after.slice(before.length)).records.map(({ message: { payload } }) => payload.type);
    const expected: unknown = JSON.parse(readFileSync(join(corpus, "expected.json"), "utf8"));
    expect(JSON.stringify(expected)).toContain("probe reply");
    expect(appended.filter((type) => type !== "tool_list_ready" && type !== "session_info")).toEqual([
      "text",
      "request_begin",
      "text",
      "request_end",
    ]);
    expect(session.subagents.known()).toEqual(["subagent-acf40abd"]);
    // Nothing there says whose child it is, so it can be read but not continued.
    expect(await session.subagents.find("subagent-acf40abd")).toBeNull();
  });

  it("SA02: a pointer to a child that was cut off: interrupted, the call has an output, the missing child is said", async () => {
    const content = readFileSync(dangling, "utf8");
    const name = "session-2026-07-18-11-10-22-0000001f";
    const made = await familyServer({ "delegate it": [answer({ say: "x" })] });
    open.push(made);
    const { root, host, registry } = made.server;
    await mkdir(join(root, "workspace"));
    const path = host.layout.traceFile({ project: "p", agent: "a" }, "2026-07-18", name, 1);
    await mkdir(join(path, ".."), { recursive: true });
    writeFileSync(path, content.replaceAll("@ROOT@", root).replaceAll("@WORKSPACE@", join(root, "workspace")));
    const session = await registry.open({ project: "p", agent: "a", session: name });
    if (!session) throw new Error("not opened");
    let snapshot = "";
    session.subscribe(null, {
      write: (sent) => {
        snapshot += sent;
      },
      writable: () => true,
      end: () => {},
    });
    expect(snapshot).toContain('"interrupted":true');
    expect(await session.subagents.find("subagent-deadbeef")).toBeNull();
    await session.submit({ id: "t1", parts: text("and?"), author: "ann" }, false);
    await idle(session);
    const [request] = made.llm.requests;
    expect(JSON.stringify(request?.request.history)).toContain("process exited");
    expect(requestProblems(request?.request.history ?? [])).toEqual([]);
  });
});
