/**
 * A strict OpenAI-compatible provider that plays the work a prompt describes, in a process of its own.
 *   JOB <id> steps=<n> [sub] [pace=<ms>] [fail]   n rounds of tools, then an answer
 *   PROBE <id>                                    answered at once; the request is kept: GET /probe/<id>
 * Each text it says holds a marker of its own, `<<m17>>`, so that a later request shows what is remembered.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ChatBody, violations } from "../../e2e/support/provider";
import { SUMMARY_PROMPT } from "./orders";
import { Random } from "./random";

interface Call {
  name: string;
  arguments: object;
}
interface Answer {
  texts: string[];
  calls: Call[];
  /** Milliseconds between two deltas. */
  pace: number;
  cut?: boolean;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (part && typeof part === "object" && "text" in part ? part.text : ""))
    .join("\n");
}

class StrictProvider {
  readonly violations: string[] = [];
  readonly probes = new Map<string, ChatBody>();
  requests = 0;
  #marker = 0;
  #call = 0;
  constructor(private readonly random: Random) {}

  #mark(): string {
    this.#marker += 1;
    return `<<m${this.#marker}>>`;
  }

  plan(body: ChatBody): Answer {
    // A title's Request quotes the prompt and offers no tools.
    if (!body.tools?.length) return { texts: ["Some work"], calls: [], pace: 0 };
    const last = body.messages.findLastIndex(({ role }) => role === "user");
    const text = textOf(body.messages[last]?.content);
    if (text.includes(SUMMARY_PROMPT)) {
      return { texts: ["[summary]", `the work so far ${this.#mark()}`, "[/summary]"], calls: [], pace: 3 };
    }
    const probe = [...text.matchAll(/PROBE (\w+)/g)].at(-1)?.[1];
    if (probe) {
      this.probes.set(probe, body);
      return { texts: [`probed ${this.#mark()}`], calls: [], pace: 0 };
    }
    const job = [...text.matchAll(/JOB (\w+) steps=(\d+)( sub)?(?: pace=(\d+))?( fail)?/g)].at(-1);
    const step = body.messages.slice(last).filter(({ role }) => role === "assistant").length;
    const pace = Number(job?.[4] ?? 3);
    if (!job || step >= Number(job[2])) return { texts: ["all", " done", ` ${this.#mark()}`], calls: [], pace };
    const tools = new Set(body.tools?.map((tool) => tool.function.name));
    const calls = Array.from({ length: 1 + this.random.below(3) }, () => this.#tool(job[1] ?? ""));
    if (job[3] && step === 0 && tools.has("run_subagent")) {
      const prompt = `JOB ${job[1]}c steps=${this.random.below(3)} pace=${pace}`;
      calls.push({ name: "run_subagent", arguments: { prompt, run_in_background: this.random.chance(0.3) } });
    }
    const cut = job[5] !== undefined && this.random.chance(0.15);
    return { texts: [`step ${step} `, this.#mark()], calls, pace, cut };
  }

  #tool(job: string): Call {
    const name = `${job}-${this.random.below(4)}.txt`;
    const size = this.random.chance(0.1) ? 60_000 : 20;
    const options: Call[] = [
      { name: "write_file", arguments: { file_path: name, content: "x".repeat(size) } },
      { name: "read_file", arguments: { file_path: name } },
      { name: "exec_command", arguments: { cmd: `echo ${job}; sleep 0.0${this.random.below(5)}` } },
    ];
    return options[this.random.below(options.length)] ?? { name: "read_file", arguments: { file_path: name } };
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const url = request.url ?? "";
    if (url === "/state") return sendJson(response, 200, { violations: this.violations, requests: this.requests });
    if (url.startsWith("/probe/")) return sendJson(response, 200, this.probes.get(url.slice(7)) ?? null);
    const body: ChatBody = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    this.requests += 1;
    const bad = violations(body);
    this.violations.push(...bad.map((one) => `${one} in ${JSON.stringify(body.messages).slice(-1500)}`));
    if (bad.length > 0) return sendJson(response, 400, { error: { message: bad.join("; ") } });
    await this.#play(response, this.plan(body), JSON.stringify(body).length);
  }

  async #play(response: ServerResponse, answer: Answer, length: number): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta: object, finish: string | null = null) =>
      response.write(
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    for (const content of answer.texts) {
      if (answer.pace > 0) await wait(this.random.next() * 2 * answer.pace);
      if (response.destroyed) return;
      send({ content });
    }
    if (answer.cut) return void response.destroy();
    for (const [index, call] of answer.calls.entries()) {
      this.#call += 1;
      const named = { name: call.name, arguments: JSON.stringify(call.arguments) };
      send({ tool_calls: [{ index, id: `call_${this.#call}`, type: "function", function: named }] });
    }
    send({}, answer.calls.length > 0 ? "tool_calls" : "stop");
    const prompt_tokens = Math.round(length / 4);
    const usage = { prompt_tokens, completion_tokens: 10, total_tokens: prompt_tokens + 10 };
    response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [], usage })}\n\n`);
    response.end("data: [DONE]\n\n");
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** `<seed>`: serves until whoever started it is gone; tells its port. */
export async function provider(seed: string): Promise<never> {
  const strict = new StrictProvider(new Random(Number(seed)));
  const server = createServer((request, response) => {
    strict.answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.on("disconnect", () => process.exit(0));
  process.send?.({ port: (server.address() as AddressInfo).port });
  return new Promise(() => {});
}
