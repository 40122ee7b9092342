/** Cases CP: a compaction happens once, keeps what was done, and never loops. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseTrace } from "../../../lib/trace/jsonl";
import type { Session } from "../session";
import { idle, until } from "../testing/host";
import { messagesOf } from "./fixtures/provider";
import { CaseServer, ofType, order, page, send, snapshot, task } from "./fixtures/server";

const WINDOW = 40_000;
/** Just below the place where contexts of this window are compacted; the answer's own tokens reach it. */
const NEARLY = WINDOW - 2_048;

async function compact(session: Session): Promise<void> {
  await session.compact("ann");
  await idle(session);
}
const begins = async (c: CaseServer, session: Session) => ofType(await c.records(session), "compaction_begin").length;
const sentTexts = (c: CaseServer, at = -1) => messagesOf(c.provider.sent.at(at)).map(({ content }) => content);

it("CP01 /compact twice in mid-answer near the end of the window: one pair, and one new file with the next message", async () => {
  const c = await CaseServer.start({ window: WINDOW });
  c.provider.promptTokens = (n) => (n === 0 ? NEARLY : 100);
  const session = await c.create("slow-60-lines@slow");
  await session.submit(task("t1"), false);
  await until(() => snapshot(session).open.length > 0);
  for (let n = 0; n < 2; n += 1) {
    await expect(session.compact("ann")).rejects.toMatchObject({ code: "task_in_progress" });
  }
  await idle(session);
  expect(await c.files(session)).toHaveLength(1);
  expect(order(await c.records(session))).toMatch(/A K E\(completed\) CB U B A K E\(completed\) CE\(completed\)$/);
  await expect(session.compact("ann")).rejects.toMatchObject({ code: "already_compacted" });
  c.provider.instead = () => "done";
  await send(session, "t2");
  expect((await c.files(session)).map((path) => path.slice(-10, -6))).toEqual(["_001", "_002"]);
  expect(await begins(c, session)).toBe(1);
  expect(ofType(await c.records(session), "compaction_end")).toHaveLength(1);
  await c.check(session);
});

it("CP02 killed in a compaction, then a prompt that alone fills a window of 2000: no compaction by itself, at most 2 tries, a clear error", async () => {
  const c = await CaseServer.start({ window: 2_000 });
  const { ref, path } = c.place("compaction-open-at-crash");
  const before = readFileSync(path);
  const session = await c.open(ref);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([session.status, c.provider.sent.length]).toEqual(["idle", 0]);
  expect(readFileSync(path).equals(before)).toBe(true);
  c.provider.promptTokens = () => 1_990;
  await send(session, "x".repeat(8_000));
  // The one that the crash cut off is closed; of its own at most two.
  const tries = (await begins(c, session)) - 1;
  expect(tries).toBeLessThanOrEqual(2);
  const told = page(session).tasks.flatMap(({ items }) => items.filter(({ kind }) => kind === "compaction"));
  expect(told.at(-1)).toMatchObject({ state: "failed", error: expect.stringMatching(/alone take about \d+ tokens/) });
  expect(order(await c.records(session))).toMatch(
    / CB CE\(failed\) U (tool_list_ready )?B A K E\(completed\) CB CE\(failed\)$/,
  );
  expect(c.provider.sent.length).toBeLessThanOrEqual(3);
  await c.check(session);
});

it("CP02 the provider finds it too long each time: one compaction is tried, then the prompt returns with the provider's words", async () => {
  const c = await CaseServer.start();
  const { ref } = c.place("compaction-open-at-crash");
  const session = await c.open(ref);
  c.provider.instead = () => "crlf@400context";
  await send(session, "far too long");
  expect(snapshot(session).state.error).toMatchObject({
    code: "refused",
    text: "far too long",
    message: expect.stringContaining("maximum context length is 32000 tokens"),
  });
  expect((await begins(c, session)) - 1).toBeLessThanOrEqual(2);
  expect(c.provider.sent.length).toBeLessThanOrEqual(4);
  await c.check(session);
});

it("CP04 CP05 after a compaction “hi” starts no second one; the meter falls and stays so after a reload", async () => {
  const c = await CaseServer.start({ window: WINDOW });
  c.provider.promptTokens = (n) => (n === 0 ? 30_000 : 120);
  const session = await c.create("crlf");
  await send(session, "t1");
  expect(page(session).context).toBe(30_010);
  await compact(session);
  expect(page(session).context).toBeNull();
  await send(session, "hi");
  expect(await begins(c, session)).toBe(1);
  expect(page(session).context).toBe(130);
  expect(page(session).session_tokens.total).toBe(30_010 + 130 + 130);
  const again = await c.check(session);
  expect(page(again).context).toBe(130);
});

it("CP07 a compaction right after an answer: no Request starts without a prompt, each prompt is in exactly one committed turn", async () => {
  const c = await CaseServer.start({ window: WINDOW });
  c.provider.promptTokens = (n) => (n === 0 ? NEARLY : 100);
  const session = await c.create("crlf");
  await send(session, "only once");
  await new Promise((resolve) => setTimeout(resolve, 50));
  // The turn and the summary of it; nothing else was asked.
  expect(c.provider.sent).toHaveLength(2);
  await send(session, "next");
  expect(c.provider.sent).toHaveLength(3);
  expect(sentTexts(c).join("\n")).not.toContain("only once");
  const prompts = ofType(await c.records(session), "text").filter(({ client_id }) => client_id !== undefined);
  expect(prompts.map(({ text }) => text)).toEqual(["only once", "next"]);
  await c.check(session);
});

it("CP08 after a compaction everything is still there, in order, with a mark between; the usage of both files adds up", async () => {
  const c = await CaseServer.start();
  const session = await c.create("crlf");
  await send(session, "before");
  await compact(session);
  await send(session, "after");
  const again = await c.reopen(session);
  const { prior } = snapshot(again);
  expect(prior).toMatchObject({ more: true, tasks: 2 });
  const texts = ofType(await c.records(session), "text").map(({ text }) => String(text));
  const at = (said: string) => texts.findIndex((text) => text.includes(said));
  expect([at("before"), at("[summary]what"), at("[context_summary]"), at("after")]).toEqual(
    [at("before"), at("[summary]what"), at("[context_summary]"), at("after")].toSorted((a, b) => a - b),
  );
  const usage = ofType(await c.records(session), "token_usage");
  const sum = usage.reduce((total, { request }) => total + Number(Object(request).total), 0);
  expect(page(again).session_tokens.total).toBe(sum);
  await c.check(again);
});

it("CP10 a small window and a long system prompt: it stops after a few Requests, and each has its price", async () => {
  const c = await CaseServer.start({ window: 8_000, systemPrompt: "rules ".repeat(6_000) });
  c.provider.promptTokens = () => 9_500;
  const session = await c.create("tool-prints-nothing");
  await send(session, "t1");
  expect(c.provider.sent.length).toBeLessThanOrEqual(3);
  expect(await begins(c, session)).toBeLessThanOrEqual(2);
  expect(snapshot(session).state.error?.message).toMatch(/system prompt and the tools alone/);
  const usage = ofType(await c.records(session), "token_usage");
  expect(usage).toHaveLength(c.provider.sent.length);
  for (const one of usage) expect(one.price).toEqual({ cache_read: 0.1, cache_write: 1, output: 2 });
  await c.check(session);
});

it("CP11 the context is too long in the middle of the work: it is kept, and the first prompt is not run again", async () => {
  const c = await CaseServer.start();
  const session = await c.create("tool-prints-nothing@400context@after4");
  for (const id of ["first prompt", "second prompt"]) await send(session, id.replace(" ", "_"), id);
  await send(session, "third", "third prompt");
  const { error } = snapshot(session).state;
  expect(error).toMatchObject({ code: "refused", text: "third prompt" });
  const records = await c.records(session);
  const committed = ofType(records, "request_end").filter(({ status }) => status === "completed");
  expect(committed).toHaveLength(4);
  const calls = ofType(records, "tool_call");
  expect(calls).toHaveLength(2);
  for (const body of c.provider.sent.slice(4)) {
    const texts = messagesOf(body).filter(({ role }) => role === "user");
    expect(texts.at(-1)?.content).not.toBe("first prompt");
  }
  const again = await c.check(session);
  c.provider.recover();
  c.provider.instead = () => "done";
  await send(again, "fourth");
  expect(JSON.stringify(c.provider.sent.at(-1))).toMatch(/first prompt.*second prompt.*fourth/);
  await c.check(again);
});

it("UC13 the provider says that it is over the limit: the meter shows full, also after a reload, until a Request fits again", async () => {
  const c = await CaseServer.start({ window: WINDOW });
  c.provider.promptTokens = () => Math.round(WINDOW * 0.62);
  const session = await c.create("crlf@400context@after3");
  for (const id of ["t1", "t2", "t3"]) await send(session, id);
  expect(page(session)).toMatchObject({ context: 24_810, context_full: false });
  await send(session, "t4");
  expect(page(session)).toMatchObject({ context: 24_810, context_full: true });
  const again = await c.check(session);
  expect(page(again).context_full).toBe(true);
  c.provider.recover();
  await send(again, "t5");
  expect(page(again)).toMatchObject({ context: 24_810, context_full: false });
  await c.check(again);
});

it("CP13 one answer without usage: the meter does not fall to 0, and no usage is invented", async () => {
  const c = await CaseServer.start();
  c.provider.instead = (_, n) => (n === 0 ? "crlf" : "no-usage");
  const session = await c.create("crlf");
  await send(session, "t1");
  await send(session, "t2");
  expect(page(session).context).toBe(110);
  expect(ofType(await c.records(session), "token_usage")).toHaveLength(1);
  expect(page(session).tasks.at(-1)?.stats).toMatchObject({ requests: 1, unknown: 1 });
  const again = await c.check(session);
  expect(page(again).context).toBe(110);
  const [path = ""] = await c.files(session);
  expect(parseTrace(readFileSync(path, "utf8")).damaged).toEqual([]);
});
