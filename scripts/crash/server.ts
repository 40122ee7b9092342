/** The bare runtime as its parent sees it: load, start, order, kill. */
import { type ChildProcess, fork } from "node:child_process";
import { type BareOptions, type Order, type Shown, said } from "./orders";

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/** The process was killed before it answered. */
export class Gone extends Error {}

export class BareServer {
  readonly #waiting = new Map<number, Waiting>();
  /** Resolves when it is gone and everything it said has been heard. */
  readonly gone: Promise<void>;
  #next = 1;
  #output = "";
  #ready: () => void = () => {};

  private readonly child: ChildProcess;

  /** Loads the code: most of what a start takes, so it is done while another server is still at work. */
  constructor(
    private readonly onShown: (shown: Shown) => void,
    /** In a terminal session of its own, as a service runs. */
    detached = false,
  ) {
    this.child = fork(process.argv[1] ?? "", ["bare"], {
      detached,
      execArgv: ["--expose-gc"],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production" },
    });
    this.child.on("message", (message) => this.#take(said.parse(message)));
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on("data", (data: Buffer) => {
        this.#output = (this.#output + data.toString("utf8")).slice(-20_000);
      });
    }
    // What it started may hold its output open a little longer.
    const ends = ["exit", "disconnect"].map((end) => new Promise((resolve) => this.child.once(end, resolve)));
    this.gone = Promise.all(ends).then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Gone("killed"));
      this.#waiting.clear();
    });
  }

  /** Throws with its output when it does not come up. */
  async start(options: BareOptions): Promise<this> {
    const ready = new Promise<boolean>((resolve) => {
      this.#ready = () => resolve(true);
    });
    this.child.send(options);
    const up = await Promise.race([ready, this.gone.then(() => false)]);
    if (!up) throw new Error(`the server did not start:\n${this.#output}`);
    return this;
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

  /** SIGKILL. */
  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.gone;
  }
}
