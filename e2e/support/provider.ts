/**
 * A small strict OpenAI-compatible provider on loopback: the one fake at the network edge. Each request takes the
 * next script; a request that a real API would refuse is remembered as a violation.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}
/** What one answer does, in order. */
export type Step =
  | { text: string }
  | { thinking: string }
  | { calls: ToolCall[] }
  | { wait: number }
  /** Until a test has seen what it wanted: no time is right for every machine. */
  | { until: Gate }
  | { status: number; message: string; retryAfter?: number }
  /** Nothing more comes, and the connection stays. */
  | { hang: true }
  /** The same, before even the head of the answer. */
  | { silent: true }
  | { cut: true };

/** Holds an answer back until it is opened. */
export class Gate {
  open = (): void => {};
  readonly passed = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** Lines from the one to the other, each by itself. */
export const lines = (from: number, to: number): Step[] =>
  Array.from({ length: to - from + 1 }, (_, i): Step[] => [{ text: `Line ${from + i};\n\n` }, { wait: 20 }]).flat();

interface ChatMessage {
  role: string;
  content?: unknown;
  tool_calls?: { id?: string; function?: { name?: string; arguments?: string } }[];
  tool_call_id?: string;
}
export interface ChatBody {
  model: string;
  messages: ChatMessage[];
  tools?: { function: { name: string } }[];
}

const isObjectText = (text: string | undefined): boolean => {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/** What strict real APIs refuse: unpaired calls, unknown outputs, empty messages, arguments that are no object. */
export function violations(body: ChatBody): string[] {
  const found: string[] = [];
  let open = new Set<string>();
  body.messages.forEach((message, i) => {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id ?? ""))
        found.push(`messages.${i}: output for unknown call ${message.tool_call_id}`);
    } else if (open.size > 0) {
      found.push(`messages.${i}: calls without output: ${[...open]}`);
      open = new Set();
    }
    for (const call of message.tool_calls ?? []) {
      if (!call.id || open.has(call.id)) found.push(`messages.${i}: missing or repeated call id`);
      if (!call.function?.name) found.push(`messages.${i}: call without name`);
      if (!isObjectText(call.function?.arguments)) found.push(`messages.${i}: arguments are not an object`);
      open.add(call.id ?? "");
    }
    const empty = message.content === undefined || message.content === null || message.content === "";
    if (empty && !message.tool_calls) found.push(`messages.${i}: empty content`);
  });
  if (open.size > 0) found.push(`end: calls without output: ${[...open]}`);
  return found;
}

export class FakeProvider {
  readonly requests: ChatBody[] = [];
  readonly violations: string[] = [];
  /** Requests whose answer is neither complete nor given up by the client. */
  open = 0;
  #scripts: Step[][] = [];
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<FakeProvider> {
    let provider: FakeProvider | undefined;
    const server = createServer((request, response) => void provider?.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    provider = new FakeProvider(server, `http://127.0.0.1:${port}/v1`);
    return provider;
  }

  /** The next answers, one script per Request; without one the answer is "OK, done.". */
  script(...scripts: Step[][]): void {
    this.#scripts.push(...scripts);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1;
    response.once("close", () => {
      this.open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    if (!request.url?.endsWith("/chat/completions")) return void response.writeHead(404).end();
    const body: ChatBody = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    this.requests.push(body);
    const bad = violations(body);
    this.violations.push(...bad);
    if (bad.length > 0) return sendError(response, 400, bad.join("; "));
    const steps = this.#scripts.shift() ?? [{ text: "OK, done." }];
    const refusal = steps.find((step) => "status" in step);
    if (refusal && "status" in refusal) return sendError(response, refusal.status, refusal.message, refusal.retryAfter);
    if (!steps.some((step) => "silent" in step)) await play(response, steps);
  }
}

function sendError(response: ServerResponse, status: number, message: string, retryAfter?: number): void {
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message, type: "invalid_request_error", code: null } }));
}

async function play(response: ServerResponse, steps: Step[]): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const send = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  let output = 0;
  let finish = "stop";
  for (const step of steps) {
    if (response.destroyed) return;
    if ("text" in step) send({ content: step.text });
    if ("thinking" in step) send({ reasoning_content: step.thinking });
    if ("wait" in step) await new Promise((resolve) => setTimeout(resolve, step.wait));
    if ("until" in step) await step.until.passed;
    if ("hang" in step) return;
    if ("cut" in step) return void response.destroy();
    if ("calls" in step) {
      finish = "tool_calls";
      send({
        tool_calls: step.calls.map(({ id, name, arguments: args }, index) => ({
          index,
          id,
          type: "function",
          function: { name, arguments: args },
        })),
      });
    }
    output += 5;
  }
  send({}, finish);
  const usage = { prompt_tokens: 100, completion_tokens: output, total_tokens: 100 + output };
  response.write(`data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", choices: [], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
}
