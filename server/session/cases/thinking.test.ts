/** Cases TH, as far as one protocol can show them: thinking stays with the model that wrote it, and a refusal is no dead end. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { idle } from "../testing/host";
import { messagesOf } from "./fixtures/provider";
import { CaseServer, ofType, send, sha256, snapshot } from "./fixtures/server";

it("TH01 /model: a new Session whose request holds the block and the text, no thinking; the old Trace is not touched", async () => {
  const c = await CaseServer.start();
  const { ref, path } = c.place("thinking-fidelity");
  const before = sha256(path);
  const source = await c.open(ref);
  const session = await c.create("done", {
    workspace: undefined,
    switched_from: { agent: ref.agent, session_id: ref.session },
  });
  expect(session.meta).toMatchObject({ workspace: source.meta.workspace, switched_from: { session_id: ref.session } });
  await send(session, "t1", "go on with it");
  const [, user, ...rest] = messagesOf(c.provider.sent[0]);
  expect(rest).toEqual([]);
  expect(user?.content).toMatch(/^\[model_switch_from\][\s\S]*\[\/model_switch_from\]\n\ngo on with it$/);
  expect(user?.content).toContain(path);
  const sent = JSON.stringify(c.provider.sent[0]);
  for (const inside of ["leading spaces", "keep me exactly", "12345678901234567890"])
    expect(sent).not.toContain(inside);
  expect(sha256(path)).toBe(before);
  await c.check(session);
});

it.each([
  ["TH02", "reasoning-then-text@400thinking@after2", "`thinking` blocks in the latest assistant message"],
  ["TH10", "reasoning-then-text@400encrypted@after1", "The encrypted content could not be verified"],
])("%s %s: its words are shown each time, the text returns, /compact and /model still work", async (_, name, words) => {
  const c = await CaseServer.start();
  const good = Number(name.at(-1));
  const session = await c.create(name);
  for (let n = 1; n <= good; n += 1) await send(session, `good${n}`);
  for (let n = 1; n <= 3; n += 1) {
    await send(session, `bad${n}`, `precious ${n}`);
    const { error } = snapshot(session).state;
    expect(error).toMatchObject({ code: "refused", text: `precious ${n}`, message: expect.stringContaining(words) });
    expect(session.status).toBe("idle");
  }
  expect(ofType(await c.records(session), "request_end").filter(({ refused }) => refused === true)).toHaveLength(3);
  const switched = await c.create("done", {
    workspace: undefined,
    switched_from: { agent: session.ref.agent, session_id: session.ref.session },
  });
  await send(switched, "elsewhere");
  expect(snapshot(switched).state).toEqual({ state: "idle" });
  // The provider refuses thinking of its own; without it the conversation can be summarised.
  c.provider.instead = (body) => (JSON.stringify(body).includes("reasoning_content") ? name : "done");
  await session.compact("ann");
  await idle(session);
  expect(ofType(await c.records(session), "compaction_end").at(-1)).toMatchObject({ status: "completed" });
  await send(session, "fresh");
  expect(snapshot(session).state).toEqual({ state: "idle" });
  expect(JSON.stringify(c.provider.sent.at(-1))).toContain("[context_summary]");
  await c.check(session);
});

it("TH08 what a provider wrote into its thinking stays as it is in the file, an `id` too", async () => {
  const c = await CaseServer.start();
  const { ref, path } = c.place("thinking-fidelity");
  const before = readFileSync(path);
  const session = await c.open(ref);
  await send(session, "hi");
  const after = readFileSync(path);
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  // Nothing of it may be sent in a field that this protocol does not have.
  expect(JSON.stringify(c.provider.sent[0])).not.toContain("keep me exactly");
  await c.check(session);
});
