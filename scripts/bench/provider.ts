/** A provider on loopback that stamps every delta with the time at which it was sent, and reads the stamps back. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the next answers stream. */
export interface Script {
  deltas: number;
  /** Milliseconds between two deltas; 0: as fast as they are taken. */
  every: number;
}

const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "bench",
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  })}\n\n`;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class Provider {
  script: Script = { deltas: 1, every: 0 };
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(): Promise<Provider> {
    const server = createServer((request, response) => {
      request.resume();
      request.on("end", () => void provider.#answer(response));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const provider = new Provider(server, (server.address() as AddressInfo).port);
    return provider;
  }

  async #answer(response: ServerResponse): Promise<void> {
    const { deltas, every } = this.script;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const start = performance.now();
    for (let n = 0; n < deltas; n++) {
      if (every > 0) await wait(Math.max(0, start + n * every - performance.now()));
      const room = response.write(chunk(`${n}@${performance.now().toFixed(2)}; `));
      if (!room) await new Promise((resolve) => response.once("drain", resolve));
    }
    const usage = { prompt_tokens: 1, completion_tokens: deltas, total_tokens: deltas + 1 };
    response.write(chunk("", "stop"));
    response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [], usage })}\n\n`);
    response.end("data: [DONE]\n\n");
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Finds the stamps in a text that arrives in any pieces. */
export class Stamps {
  readonly latencies: number[] = [];
  first = 0;
  last = 0;
  #rest = "";
  #next = 0;
  /** Were all stamps seen once and in order? */
  inOrder = true;

  push(text: string): void {
    const now = performance.now();
    this.#rest += text;
    let used = 0;
    for (const match of this.#rest.matchAll(/(\d+)@([\d.]+); /g)) {
      this.inOrder &&= Number(match[1]) === this.#next++;
      this.latencies.push(now - Number(match[2]));
      used = match.index + match[0].length;
      this.first ||= now;
      this.last = now;
    }
    this.#rest = this.#rest.slice(used);
  }
}
