import { mkdir, rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readHandoffFrom, readModelSwitchFrom } from "../../lib/omni/blocks";
import { answer, ScriptedLlm } from "../engine/testing/script";
import { readableList, readablePaths } from "./lineage";
import { viewSession } from "./list";
import type { Session } from "./session";
import { AGENT, idle, type TestServer, testServer, text } from "./testing/host";

let server: TestServer;
let llm: ScriptedLlm;
let source: Session;
const ann = { id: "ann" };
const from = () => ({ agent: AGENT.agent, session_id: source.ref.session });
const other = { provider: "fake", model_id: "other" };

async function say(session: Session, id: string, words: string): Promise<void> {
  await session.submit({ id, parts: text(words), author: "ann" }, false);
  await idle(session);
}
const pathOf = async (session: Session) => {
  const last = (await server.host.store.files(AGENT, session.ref.session)).at(-1);
  return last ? server.host.layout.traceFile(AGENT, last.date, session.ref.session, last.index) : "";
};

beforeEach(async () => {
  llm = new ScriptedLlm([answer({ say: "x" })]);
  server = await testServer(llm);
  source = await server.registry.create(AGENT, { approval_mode: "always-ask" }, ann);
  await say(source, "t1", "the first word");
  await source.patch({ title: "Old (title)" }, "ann");
});
afterEach(() => server.remove());

describe("a model switch", () => {
  it("same Workspace and mode; the block and the text are all that the new model gets; the source keeps its bytes", async () => {
    const before = await server.raw(source);
    const next = await server.registry.create(AGENT, { model: other, switched_from: from() }, ann);
    expect(next.meta).toMatchObject({ ...other, workspace: source.meta.workspace, switched_from: from() });
    expect(next.settings.approval_mode).toBe("always-ask");
    await say(next, "t2", "go on");
    const history = llm.requests.at(-1)?.history ?? [];
    const texts = history.map((payload) => (payload.type === "text" ? payload.text : payload.type));
    expect(texts).toHaveLength(2);
    expect(texts[1]).toBe("go on");
    expect(readModelSwitchFrom(texts[0] ?? "")).toEqual({
      session: { id: source.ref.session, label: "Old (title)" },
      trace: await pathOf(source),
      workspace: source.meta.workspace,
      previous_model: "m",
      previous_provider: "fake",
    });
    expect(await server.raw(source)).toBe(before);
    const view = await viewSession(server.registry, source.ref, "ann");
    expect(view?.continued_in).toMatchObject([{ kind: "switch", session_id: next.ref.session, model_id: "other" }]);
  });

  it("keeps to the Agent, and has one source", async () => {
    const elsewhere = server.registry.create({ ...AGENT, agent: "b" }, { switched_from: from() }, ann);
    await expect(elsewhere).rejects.toMatchObject({ code: "bad_request" });
    const both = server.registry.create(AGENT, { switched_from: from(), handoff_from: from() }, ann);
    await expect(both).rejects.toMatchObject({ code: "bad_request" });
  });

  it("a Workspace that is gone is never silently another one: the person names it, or a temporary one", async () => {
    await rm(source.meta.workspace ?? "", { recursive: true });
    await expect(server.registry.create(AGENT, { switched_from: from() }, ann)).rejects.toMatchObject({
      code: "workspace_missing",
    });
    const temporary = await server.registry.create(AGENT, { switched_from: from(), workspace: null }, ann);
    expect(temporary.meta.workspace).toMatch(/tmp-[0-9a-f]{8}$/);
    await mkdir(`${server.root}/chosen`);
    server.host.workspaceRoots = async () => ["/"];
    const refused = server.registry.create(AGENT, { switched_from: from(), workspace: "/nowhere" }, ann);
    await expect(refused).rejects.toMatchObject({ code: "workspace_not_found" });
  });

  it("MU07 the source's Trace can be read as long as the creator may see it; another one's never", async () => {
    const next = await server.registry.create(AGENT, { switched_from: from() }, ann);
    await say(next, "t2", "go on");
    const stranger = await server.registry.create(AGENT, {}, ann);
    await say(stranger, "t3", "secret");
    const readable = await readablePaths(server.host, next.ref, next.meta);
    expect(await readable(await pathOf(source))).toBe(true);
    expect(await readable(`${server.host.layout.scratchpad(AGENT, source.ref.session)}/note`)).toBe(true);
    expect(await readable(await pathOf(next))).toBe(true);
    expect(await readable(await pathOf(stranger))).toBe(false);
    const { layout } = server.host;
    const listed = await readableList(server.host, next.ref, next.meta);
    expect(listed.toSorted()).toEqual(
      [await pathOf(source), await pathOf(next), layout.scratchpad(AGENT, source.ref.session)].toSorted(),
    );
    const ofBen = await readablePaths(server.host, next.ref, { ...next.meta, created_by: "ben" });
    await source.patch({ visibility: "private" }, "ann");
    expect(await readable(await pathOf(source))).toBe(true);
    expect(await ofBen(await pathOf(source))).toBe(false);
    expect(await readableList(server.host, next.ref, { ...next.meta, created_by: "ben" })).toEqual([
      await pathOf(next),
    ]);
  });

  it("what an imported file says of its source opens nothing", async () => {
    const forged = { ...source.meta, session_id: "forged", switched_from: from(), created_by: "ann" };
    const facts = { imported: true, meta: forged };
    const store = {
      session: async (_: unknown, id: string) =>
        id === "forged" ? (facts as never) : server.host.store.session(AGENT, id),
    };
    const place = { layout: server.host.layout, store };
    const readable = await readablePaths(place, { ...AGENT, session: "forged" }, forged);
    expect(await readable(await pathOf(source))).toBe(false);
  });
});

it("a handover names the Agent and no Trace; mode stays, model and Workspace are the new Agent's", async () => {
  Object.assign(server.host.agents, { view: async () => ({ id: "a", name: "Writer" }) });
  const next = await server.registry.create({ ...AGENT, agent: "b" }, { handoff_from: from() }, ann);
  await say(next, "t2", "take over");
  const first = llm.requests.at(-1)?.history[0];
  const block = first?.type === "text" ? first.text : "";
  expect(readHandoffFrom(block)).toEqual({
    agent: { id: "a", label: "Writer" },
    session: { id: source.ref.session, label: "Old (title)" },
    workspace: source.meta.workspace,
  });
  expect(block).not.toContain("trace");
  expect(next.settings.approval_mode).toBe("always-ask");
  expect(next.meta.workspace).not.toBe(source.meta.workspace);
});

it("nobody learns of a private source", async () => {
  await source.patch({ visibility: "private" }, "ann");
  const refused = server.registry.create(AGENT, { switched_from: from() }, { id: "ben" });
  await expect(refused).rejects.toMatchObject({ code: "not_found" });
});
