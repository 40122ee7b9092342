/**
 * The built-in demo model: an OpenAI chat endpoint as a `fetch` function, in process. No key, no network, no model.
 * It is spoken to by the ordinary adapter and says that it is a demo. Same request, same answer.
 *
 * | Say (anywhere in a message)                                | It does                                             |
 * |------------------------------------------------------------|-----------------------------------------------------|
 * | hello · help                                               | introduces itself, tells how to add a real model    |
 * | create a file NAME with TEXT · create NAME.EXT             | `write_file` (or `exec_command` without that tool)  |
 * | read the file NAME · read NAME.EXT                         | `read_file`                                         |
 * | replace "A" with "B" in NAME                               | `edit_file`                                         |
 * | run `CMD` · run `A` and `B` at the same time · list files  | `exec_command`, one call per command, all at once   |
 * | start `CMD` in the background                              | `exec_command` that yields after 250 ms             |
 * | send "TEXT" to the process [ID] · check the process [ID]   | `input_command` (ID: the newest one, if left out)   |
 * | stop the process [ID]                                      | `kill_command`                                      |
 * | look at the image NAME · ask a subagent to DO              | `read_image` · `run_subagent`                       |
 * | start a subagent in the background to DO                   | `run_subagent` that returns at once                 |
 * | check · tell · stop the subagent ID (tell: to DO)          | `input_subagent` · `kill_subagent`                  |
 * | the report of something that ended in the background       | says so                                             |
 * | A, then B (B begins with a verb of this table)             | one Request per step                                |
 * | think about TOPIC                                          | thinking, then text                                 |
 * | write N lines (slowly) · count to N · count slowly to N    | long answers: 40 ms a line, slowly 200 ms           |
 * | show markdown · say TEXT                                   | a showcase · TEXT                                   |
 * | fail with CODE · fail with context                         | that HTTP error · context too long                  |
 * | fail once                                                  | breaks off with an error; answers the retry         |
 * | stall · break off · run out of tokens · say nothing        | silence · no finish reason · `length` · empty       |
 * | call with bad arguments · call an unknown tool             | half a JSON · a tool that does not exist            |
 * | a prompt that asks for a `[summary]` block                 | the summary of a compaction                         |
 * | anything else                                              | repeats it and says that it is only a demo          |
 */
import { type Plan, planAnswer, type Step } from "./demo-plan";
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "./json";

export const DEMO_PROVIDER = "demo";
export const DEMO_MODEL = "demo";
/** Never resolved: `demoFetch` answers in process. */
export const DEMO_BASE_URL = "http://demo.invalid/v1";

const FIRST_PIECE_MS = 120;
const PACE_MS = 18;
const PIECE_CHARS = 12;
const ARGUMENT_CHARS = 24;
const CHARS_PER_TOKEN = 4;
/** Providers cache whole blocks. Tokens. */
const CACHE_BLOCK = 64;

export const demoFetch: typeof fetch = createDemoFetch();

/** `speed` 0: no waiting at all, for tests; 1: the pace of a real model. */
export function createDemoFetch(speed = 1): typeof fetch {
  return async (_url, init) => {
    const body = asObject(parseJson(asString(init?.body))?.value);
    if (!body) return failure({ status: 400, type: "invalid_request_error", code: null, message: "no JSON body" });
    const plan = planAnswer(body);
    if (plan.http) return failure(plan.http);
    const stream = streamOf(frames(plan, body, speed, init?.signal ?? undefined));
    return new Response(stream, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  };
}

function failure({ status, ...error }: NonNullable<Plan["http"]>): Response {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (status === 429) headers["retry-after"] = "2";
  return new Response(JSON.stringify({ error }), { status, headers });
}

async function* frames(plan: Plan, body: JsonObject, speed: number, signal?: AbortSignal): AsyncGenerator<string> {
  const pace = (plan.pace ?? PACE_MS) * speed;
  await sleep(FIRST_PIECE_MS * speed, signal);
  if (plan.finish === "stall") await sleep(Number.POSITIVE_INFINITY, signal);
  yield chunk({ role: "assistant", content: "" });
  let callIndex = 0;
  const firstId = countCalls(body);
  for (const step of plan.steps) {
    if (step.kind === "call") {
      const id = `call_demo_${firstId + callIndex + 1}`;
      const announced = { index: callIndex, id, type: "function", function: { name: step.name, arguments: "" } };
      yield chunk({ tool_calls: [announced] });
    }
    for (const piece of pieces(step, plan.piece)) {
      yield chunk(deltaOf(step, piece, callIndex));
      await sleep(pace, signal);
    }
    if (step.kind === "call") callIndex += 1;
  }
  if (plan.finish === "cut") return;
  if (plan.finish === "error") {
    yield data({ error: { message: "The demo model broke off, as asked.", type: "server_error", code: 503 } });
    return;
  }
  yield chunk({}, plan.finish);
  yield data({ ...CHUNK, choices: [], usage: usageOf(plan, body) });
  yield "data: [DONE]\n\n";
}

const CHUNK = { id: "chatcmpl-demo", object: "chat.completion.chunk", created: 0, model: DEMO_MODEL };

function chunk(delta: JsonObject, finish_reason: string | null = null): string {
  return data({ ...CHUNK, choices: [{ index: 0, delta, finish_reason }] });
}
function data(value: JsonObject): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function deltaOf(step: Step, piece: string, index: number): JsonObject {
  if (step.kind === "thinking") return { reasoning_content: piece };
  if (step.kind === "text") return { content: piece };
  return { tool_calls: [{ index, function: { arguments: piece } }] };
}

function pieces(step: Step, size = PIECE_CHARS): string[] {
  if (step.kind === "call") return cut(step.args, ARGUMENT_CHARS);
  return size === 0 ? step.text.split(/(?<=\n)(?!\n)/) : cut(step.text, size);
}

/** By code points, so that no character is torn. */
function cut(text: string, size: number): string[] {
  const points = [...text];
  const out: string[] = [];
  for (let at = 0; at < points.length; at += size) out.push(points.slice(at, at + size).join(""));
  return out;
}

/** Plausible numbers from text lengths; everything before the newest turn comes from the cache. */
function usageOf(plan: Plan, body: JsonObject): JsonObject {
  const messages = asArray(body.messages).filter(isObject);
  const lastAssistant = messages.findLastIndex((m) => m.role === "assistant");
  const known = lastAssistant < 0 ? [] : messages.slice(0, lastAssistant);
  const tools = tokens(JSON.stringify(body.tools ?? ""));
  const prompt = tools + tokens(JSON.stringify(messages));
  const cached = known.length === 0 ? 0 : tools + tokens(JSON.stringify(known));
  const length = (kind: string) =>
    plan.steps.filter((s) => s.kind === kind).reduce((n, s) => n + tokens(s.kind === "call" ? s.args : s.text), 0);
  const reasoning = length("thinking");
  const completion = Math.max(1, reasoning + length("text") + length("call"));
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: Math.floor(cached / CACHE_BLOCK) * CACHE_BLOCK },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function tokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
function countCalls(body: JsonObject): number {
  return asArray(body.messages).reduce<number>((n, m) => n + asArray(asObject(m)?.tool_calls).length, 0);
}

/** Rejects as `fetch` does when the signal fires. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(new DOMException("This operation was aborted", "AbortError"));
    if (signal?.aborted) return aborted();
    if (ms <= 0) return resolve();
    const timer = Number.isFinite(ms) ? setTimeout(done, ms) : undefined;
    const onAbort = () => {
      clearTimeout(timer);
      aborted();
    };
    function done() {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function streamOf(source: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        controller.error(error);
      }
    },
    cancel() {
      source.return(undefined).catch(() => {});
    },
  });
}
