/** OpenTelemetry: spans posted to a real HTTP receiver have names, parents, times and tokens; the same twice. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { readConfig } from "../config";
import { answer, ScriptedLlm, ScriptedTools } from "../engine/testing/script";
import { createRuntime, type Runtime } from "../runtime";
import { idle, text, until } from "../session/testing/host";
import type { OtlpDocument, Span } from "../trace/otlp";
import { Hasher } from "../users/hash";

const AGENT = { project: "alpha", agent: "default_agent" };
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

/** A receiver as the specification wants it: JSON only, at one path; it keeps what came. */
async function receiver() {
  const got: { document: OtlpDocument; headers: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const right = request.method === "POST" && request.url === "/v1/traces";
      const json = request.headers["content-type"] === "application/json";
      if (right && json) got.push({ document: JSON.parse(Buffer.concat(parts).toString()), headers: request.headers });
      response.writeHead(right && json ? 200 : 400, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUp.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const spans = () => got.flatMap(({ document }) => spansIn(document));
  return { url: `http://127.0.0.1:${port}/v1/traces`, got, spans };
}
const spansIn = ({ resourceSpans }: OtlpDocument) =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

function attributeOf({ attributes }: Span, key: string): unknown {
  const value = attributes.find((one) => one.key === key)?.value;
  return value && Object.values(value)[0];
}

async function world(env: Record<string, string>): Promise<Runtime> {
  const root = mkdtempSync(join(tmpdir(), "penguin-otlp-"));
  const llm = new ScriptedLlm([
    answer({ usage: 11 }, { call: "work", id: "c1" }),
    answer({ usage: 22 }, { say: "the answer is secret-word" }),
  ]);
  const tools = new ScriptedTools();
  const runtime = await createRuntime(
    readConfig({ PENGUIN_HOME: root, NODE_ENV: "test", PENGUIN_WORKSPACE_ROOTS: root, ...env }),
    {
      hasher: new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }),
      env: { NODE_ENV: "test" },
      sessionHost: (host) => ({
        ...host,
        autoTitle: false,
        createLlm: () => llm,
        createTools: () =>
          Object.assign(tools, {
            dispose: async () => {},
            disposeNow: () => {},
            processes: () => [],
            stopProcess: async () => false,
            removeProcess: async () => false,
            isolated: false,
          }),
      }),
    },
  );
  cleanUp.push(
    () => rmSync(root, { recursive: true, force: true }),
    () => runtime.shutdown(),
  );
  await runtime.projects.create("alpha", "Alpha", "ann");
  await runtime.agents.ensure(AGENT);
  return runtime;
}

async function oneTask(runtime: Runtime) {
  const session = await runtime.sessions.create(AGENT, { approval_mode: "allow-all" }, { id: "ann" });
  await session.submit({ id: "p1", parts: text("find the secret-word"), author: "ann" }, false);
  await idle(session);
  return { session, ref: { ...AGENT, session: session.ref.session } };
}

it("an exported Session has the right names, parents, times and tokens, and the same ids each time", async () => {
  const runtime = await world({});
  const { ref } = await oneTask(runtime);
  const { url, spans } = await receiver();
  const document = await runtime.usage.otlp(ref, "ann", false);
  for (let n = 0; n < 2; n += 1) {
    const body = JSON.stringify(await runtime.usage.otlp(ref, "ann", false));
    const sent = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(sent.status).toBe(200);
  }
  const received = spans();
  expect(received.slice(0, received.length / 2)).toEqual(received.slice(received.length / 2));
  const made = spansIn(document);
  expect(made.map(({ name }) => name)).toEqual([
    "invoke_agent default_agent",
    "chat demo",
    "execute_tool work",
    "chat demo",
  ]);
  const [task, first, tool, second] = made;
  if (!task || !first || !tool || !second) throw new Error("spans are missing");
  expect(task.parentSpanId).toBeUndefined();
  expect([first.parentSpanId, tool.parentSpanId, second.parentSpanId]).toEqual([
    task.spanId,
    first.spanId,
    task.spanId,
  ]);
  expect(new Set(made.map(({ traceId }) => traceId)).size).toBe(1);
  for (const span of made) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    expect(span.status).toEqual({ code: 1 });
  }
  expect(BigInt(first.startTimeUnixNano) >= BigInt(task.startTimeUnixNano)).toBe(true);
  expect(BigInt(second.endTimeUnixNano) <= BigInt(task.endTimeUnixNano)).toBe(true);
  const [file] = await runtime.traces.files(AGENT, ref.session);
  const { records } = (await runtime.traces.read(AGENT, ref.session, file?.index ?? 1)) ?? { records: [] };
  const begin = records.find(({ message }) => message.type === "event_msg" && message.payload.type === "request_begin");
  expect(first.startTimeUnixNano).toBe(`${Date.parse(begin?.message.timestamp ?? "")}000000`);
  expect([attributeOf(first, "penguin.trace.line"), attributeOf(first, "penguin.trace.file_index")]).toEqual([
    String(begin?.address.line),
    "1",
  ]);
  expect([first, second].map((span) => attributeOf(span, "gen_ai.usage.output_tokens"))).toEqual(["11", "22"]);
  expect(attributeOf(tool, "gen_ai.tool.call.id")).toBe("c1");
  expect(attributeOf(tool, "penguin.approval.by")).toBe("mode:allow-all");
  expect(attributeOf(task, "gen_ai.conversation.id")).toBe(ref.session);
  expect(JSON.stringify(document)).not.toContain("secret-word");
  const full = JSON.stringify(await runtime.usage.otlp(ref, "ann", true));
  expect(full.match(/secret-word/g)).toHaveLength(2);
});

it("live export is off by itself; with an address it sends each Task once, without content", async () => {
  const { url, got, spans } = await receiver();
  await oneTask(await world({}));
  expect(got).toEqual([]);
  const runtime = await world({ PENGUIN_OTLP_URL: url, PENGUIN_OTLP_HEADERS: "x-key=abc, x-other=d=e" });
  const { session, ref } = await oneTask(runtime);
  await until(() => spans().length >= 4);
  await session.submit({ id: "p2", parts: text("again"), author: "ann" }, false);
  await idle(session);
  await until(
    () =>
      spans().some(({ name, attributes }) => name.startsWith("invoke") && attributes.length > 0) && spans().length >= 6,
  );
  const exported = spansIn(await runtime.usage.otlp(ref, "ann", false));
  const byId = (list: Span[]) => [...list].sort((a, b) => (a.spanId < b.spanId ? -1 : 1));
  expect(byId(spans())).toEqual(byId(exported));
  expect(got[0]?.headers).toMatchObject({ "x-key": "abc", "x-other": "d=e" });
  expect(JSON.stringify(got)).not.toContain("secret-word");
});

it("a subagent's Task hangs below the call that started it, in the same trace, also when it is exported alone", async () => {
  const runtime = await world({});
  const parent = "session-2026-07-18-11-10-22-0000000a";
  const child = "session-2026-07-18-11-10-22-0000000b";
  let second = 0;
  const at = () => new Date(Date.UTC(2026, 6, 18) + 1000 * ++second).toISOString();
  const event = (payload: object) => ({ timestamp: at(), type: "event_msg", payload });
  const said = (payload: object) => ({ timestamp: at(), type: "model_msg", payload });
  const meta = (payload: object) => ({ timestamp: at(), type: "session_meta", payload });
  const write = (id: string, records: object[]) => {
    const path = runtime.layout.traceFile(AGENT, "2026-07-18", id, 1);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  };
  const call = { type: "tool_call", role: "assistant", name: "run_subagent", arguments: "{}", tool_call_id: "c1" };
  write(parent, [
    meta({ session_id: parent, provider: "google", model_id: "m" }),
    said({ type: "text", role: "user", text: "go" }),
    event({ type: "request_begin" }),
    said({ ...call, stop_reason: "completed" }),
    event({ type: "approval_decision", decision: "allow", tool_call_id: "c1" }),
    event({ type: "subagent", session_id: child }),
    event({ type: "request_end", status: "completed" }),
  ]);
  write(child, [
    meta({ session_id: child, provider: "google", model_id: "m", source: "subagent" }),
    said({ type: "text", role: "user", text: "help" }),
    event({ type: "request_begin" }),
    event({ type: "request_end", status: "timeout", error_message: "nothing came", attempt: 1 }),
  ]);
  const spans = spansIn(await runtime.usage.otlp({ ...AGENT, session: parent }, "ann", false));
  const [, , tool, task, request] = spans;
  expect(spans.map(({ name }) => name)).toEqual([
    "invoke_agent default_agent",
    "chat m",
    "execute_tool run_subagent",
    "invoke_agent default_agent",
    "chat m",
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(5);
  expect([task?.parentSpanId, request?.parentSpanId]).toEqual([tool?.spanId, task?.spanId]);
  expect(request?.status).toEqual({ code: 2, message: "nothing came" });
  expect(request && attributeOf(request, "error.type")).toBe("timeout");
  expect(request && attributeOf(request, "gen_ai.provider.name")).toBe("gcp.gemini");
  expect(spansIn(await runtime.usage.otlp({ ...AGENT, session: child }, "ann", false))).toEqual([task, request]);
});
