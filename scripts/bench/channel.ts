/** From provider to event-stream client: the built server, and beside it a bare node:http event stream. */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer, get, request } from "node:http";
import type { AddressInfo } from "node:net";
import { TestServer } from "../../e2e/support/server";
import type { Frame } from "../../lib/api/frames";
import { Client } from "./client";
import { Provider, type Script, Stamps } from "./provider";

/** Answers of all Sessions of one round. */
interface Round {
  stamps: Stamps[];
}
interface Figures {
  deltas_per_s: number;
  p50_ms: number;
  p95_ms: number;
  complete: boolean;
}

const quantile = (sorted: number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

function figures(paced: Round, flat: Round, scripts: { paced: Script; flat: Script }): Figures {
  const sorted = paced.stamps.flatMap((one) => one.latencies).sort((a, b) => a - b);
  const from = Math.min(...flat.stamps.map((one) => one.first));
  const to = Math.max(...flat.stamps.map((one) => one.last));
  const count = flat.stamps.reduce((sum, one) => sum + one.latencies.length, 0);
  const whole = ({ stamps }: Round, { deltas }: Script) =>
    stamps.every((one) => one.inOrder && one.latencies.length === deltas);
  return {
    deltas_per_s: count / ((to - from) / 1000),
    p50_ms: quantile(sorted, 0.5),
    p95_ms: quantile(sorted, 0.95),
    complete: whole(paced, scripts.paced) && whole(flat, scripts.flat),
  };
}

/** In a process of its own: asks the provider and passes its bytes on. Prints its port. */
export async function bareServer(providerPort: string): Promise<never> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" });
    const upstream = request({ port: Number(providerPort), method: "POST", path: "/v1/chat/completions" }, (answer) =>
      answer.pipe(response),
    );
    upstream.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  console.log((server.address() as AddressInfo).port);
  return new Promise(() => {});
}

function readBare(port: string): Promise<Stamps> {
  const stamps = new Stamps();
  return new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1" }, (answer) => {
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => stamps.push(text));
      answer.on("end", () => resolve(stamps));
      answer.on("error", reject);
    }).on("error", reject);
  });
}

async function startBare(providerPort: number): Promise<{ child: ChildProcess; port: string }> {
  const child = spawn(process.execPath, [process.argv[1] ?? "", "bare", String(providerPort)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve) =>
    child.stdout?.once("data", (data) => resolve(String(data).trim())),
  );
  return { child, port };
}

/** One Task per Session at the same time; resolves when all of them are idle again. */
function runTasks(client: Client, sessions: string[]): Promise<Stamps[]> {
  return Promise.all(
    sessions.map(async (session) => {
      const stamps = new Stamps();
      let ran = false;
      const { opened, ended } = client.events(session, (frame: Frame) => {
        if (frame.event === "message") {
          const { message } = frame.data;
          if (message.type === "model_msg" && message.payload.type === "partial_text")
            stamps.push(message.payload.text);
          return false;
        }
        if (frame.event !== "state") return false;
        ran ||= frame.data.state === "running";
        return ran && frame.data.state === "idle";
      });
      await opened;
      await client.send(session, "go");
      await ended;
      return stamps;
    }),
  );
}

/** `<sessions>` -> figures of the server and of the bare stream. */
export async function channel(argument: string) {
  const count = Number(argument);
  const scripts = {
    paced: { deltas: count === 1 ? 400 : 100, every: count === 1 ? 5 : 50 },
    flat: { deltas: count === 1 ? 5000 : 500, every: 0 },
  };
  const provider = await Provider.start();
  const bare = await startBare(provider.port);
  const server = await TestServer.start();
  try {
    const round = async (script: Script, read: () => Promise<Stamps[]>): Promise<Round> => {
      provider.script = script;
      return { stamps: await read() };
    };
    const client = await Client.signIn(server.url);
    await client.setModel(`http://127.0.0.1:${provider.port}/v1`);
    const sessions: string[] = [];
    for (let i = 0; i < count; i++) sessions.push(await client.createSession());
    provider.script = { deltas: 20, every: 0 };
    await runTasks(client, sessions);
    const ours = [
      await round(scripts.paced, () => runTasks(client, sessions)),
      await round(scripts.flat, () => runTasks(client, sessions)),
    ] as const;
    const readAll = () => Promise.all(sessions.map(() => readBare(bare.port)));
    await round({ deltas: 20, every: 0 }, readAll);
    const floor = [await round(scripts.paced, readAll), await round(scripts.flat, readAll)] as const;
    return { ours: figures(...ours, scripts), floor: figures(...floor, scripts) };
  } finally {
    await server.remove();
    provider.stop();
    bare.child.kill();
  }
}
