/** The case collection beside the repository, when it is there: `fake-provider.mjs` checks every request strictly. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CompletePayload } from "../../lib/omni/message";
import { normaliseBaseUrl } from "./base-url";
import { collect, request } from "./fixtures/collect";
import { openAiChat } from "./openai-chat";

const cases = join(process.env.PENGUIN_SHARED ?? join(import.meta.dirname, "../../../shared"), "cases");
const there = existsSync(join(cases, "fake-provider.mjs"));
if (!there) console.warn(`skipped: no case collection at ${cases}`);

let origin = "";
const tools = [{ name: "exec_command", description: "run" }];

describe.skipIf(!there)("shared cases of a chat provider", () => {
  let provider: ChildProcess;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    provider = spawn(process.execPath, [join(cases, "fake-provider.mjs"), String(port)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => provider.stdout?.once("data", resolve));
  });
  afterAll(() => provider.kill());

  const ask = (model_id: string, history?: CompletePayload[]) =>
    collect(
      openAiChat({ provider: "fake", model_id, client_type: "openai-chat", base_url: `${origin}/v1`, api_key: "k" }),
      request({ tools, idle_timeout_ms: model_id.endsWith("@hang") ? 600 : 10_000, ...(history ? { history } : {}) }),
    );

  it.each<[string, string, object[]]>([
    ["_default", "completed", [{ text: "OK, done." }]],
    ["comments-keepalive", "completed", [{ text: "one two" }]],
    ["content-and-usage-same-chunk", "completed", [{ text: "all of it" }]],
    ["crlf", "completed", [{ text: "one two" }]],
    ["crlf@1b", "completed", [{ text: "one two" }]],
    ["utf8-multibyte@1b", "completed", [{ text: "использовать 你好世界 🌍 👩‍👩‍👧‍👦 é" }]],
    ["cut-mid-tool-announce@cut", "timeout", [{ arguments: '{"cmd":"prin', stop_reason: "timeout" }]],
    ["cut-mid-tool-announce", "malformed", [{ arguments: '{"cmd":"prin', stop_reason: "malformed" }]],
    ["empty-answer-stop", "completed", []],
    ["error-in-stream", "timeout", []],
    ["finish-length", "completed", [{ text: "this answer was cut by the out", stop_reason: "failed" }]],
    ["http200-json-error", "timeout", []],
    ["http502-html", "timeout", []],
    ["leading-empty-choices", "completed", [{ text: "hi" }]],
    ["no-finish-no-done", "completed", [{ text: "hello" }]],
    ["no-finish-no-done@hang", "timeout", [{ text: "hello", stop_reason: "timeout" }]],
    ["no-usage", "completed", [{ text: "an answer without any usage" }]],
    ["think-tags-in-content", "completed", [{ thinking: "secret plan" }, { text: "The answer is 4." }]],
    ["tool-args-empty", "completed", [{ name: "list_files", arguments: "" }]],
    ["tool-args-truncated", "completed", [{ arguments: '{"cmd":"git commit -m \\"half a mess' }]],
    [
      "tool-interleaved-fragments",
      "completed",
      [{ arguments: '{"cmd":"printf AAA"}' }, { arguments: '{"cmd":"printf BBB"}' }],
    ],
    [
      "tool-no-index-parallel",
      "completed",
      [{ arguments: '{"cmd":"printf AAA"}' }, { arguments: '{"cmd":"printf BBB"}' }],
    ],
    [
      "tool-same-index-parallel",
      "completed",
      [{ arguments: '{"cmd":"printf AAA"}' }, { arguments: '{"cmd":"printf BBB"}' }],
    ],
    ["crlf@401", "auth", []],
    ["crlf@429", "timeout", []],
    ["crlf@400context", "failed", []],
  ])("%s", async (model, status, messages) => {
    const result = await ask(model);
    expect(result.outcome.status).toBe(status);
    expect(result.messages).toMatchObject(messages);
    expect(result.messages).toHaveLength(messages.length);
    expect(result.faults).toEqual([]);
  });

  it("every tool answer can be continued: ids, arguments, reasoning and outputs are accepted", async () => {
    const models = readdirSync(join(cases, "sse")).filter((f) => /^(tool|reasoning)-/.test(f));
    for (const model of new Set(models.map((f) => f.replace(/(\.\d+)?\.sse$/, "")))) {
      const history: CompletePayload[] = [{ type: "text", role: "user", text: "go" }];
      for (let turn = 0; turn < 3; turn += 1) {
        const { messages, outcome } = await ask(model, history);
        expect([model, outcome.status]).toEqual([model, "completed"]);
        history.push(...messages);
        for (const m of messages) {
          if (m.type === "tool_call")
            history.push({ type: "tool_call_output", role: "user", output: "", tool_call_id: m.tool_call_id });
        }
        history.push({ type: "text", role: "user", text: "go on" });
      }
      const ids = history.flatMap((m) => (m.type === "tool_call" ? [m.tool_call_id] : []));
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it("each given base URL is refused when saved, or posts where it should", () => {
    const urls: { given: string; post: string }[] = JSON.parse(
      readFileSync(join(cases, "config/base-urls.json"), "utf8"),
    );
    for (const { given, post } of urls) {
      const tidy = normaliseBaseUrl(given);
      expect([given, tidy.ok]).toEqual([given, !/^refused/.test(post)]);
      const expected = /^http\S+/.exec(post)?.[0];
      if (tidy.ok && expected) expect(`${tidy.url}/chat/completions`).toBe(expected);
    }
  });

  it("none of these requests was one that a strict API refuses", async () => {
    const violations: unknown = await (await fetch(`${origin}/_violations`)).json();
    expect(violations).toEqual([]);
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
