/** The bare runtime as its parent sees it: start, order, kill. */
import { type ChildProcess, fork } from "node:child_process";
import { type BareOptions, type Order, type Shown, said } from "./orders";

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/** The process was killed before it answered. */
export class Gone extends Error {}

export class BareServer {
  readonly #waiting = new Map<number, Waiting>();
  readonly #exit: Promise<void>;
  #next = 1;
  #output = "";
  #ready: () => void = () => {};

  private constructor(
    private readonly child: ChildProcess,
    private readonly onShown: (shown: Shown) => void,
  ) {
    child.on("message", (message) => this.#take(said.parse(message)));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (data: Buffer) => {
        this.#output = (this.#output + data.toString("utf8")).slice(-20_000);
      });
    }
    this.#exit = new Promise((resolve) => {
      child.once("close", () => {
        for (const { reject } of this.#waiting.values()) reject(new Gone("killed"));
        this.#waiting.clear();
        resolve();
      });
    });
  }

  /** Throws with its output when it does not come up. */
  static async start(options: BareOptions, onShown: (shown: Shown) => void): Promise<BareServer> {
    const child = fork(process.argv[1] ?? "", ["bare", JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production" },
    });
    const server = new BareServer(child, onShown);
    const ready = new Promise<boolean>((resolve) => {
      server.#ready = () => resolve(true);
    });
    const up = await Promise.race([ready, server.#exit.then(() => false)]);
    if (!up) throw new Error(`the server did not start:\n${server.#output}`);
    return server;
  }

  /** What it printed last. */
  get output(): string {
    return this.#output;
  }

  #take(message: ReturnType<typeof said.parse>): void {
    if ("ready" in message) this.#ready();
    else if ("shown" in message) this.onShown(message.shown);
    else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if ("error" in message) waiting?.reject(new Error(message.error));
      else waiting?.resolve(message.value);
    }
  }

  /** Throws `Gone` when it dies first, else the error's code. */
  ask(order: Order): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (!this.child.connected) return reject(new Gone("killed"));
      this.#waiting.set(id, { resolve, reject });
      this.child.send({ id, order }, (error) => {
        if (error && this.#waiting.delete(id)) reject(new Gone("killed"));
      });
    });
  }

  /** SIGKILL; resolves when it is gone and everything it said has been heard. */
  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#exit;
  }
}
