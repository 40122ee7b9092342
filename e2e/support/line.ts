/** The line between a browser and the server, so that a test can cut it: for pages and workers alike. */
import { connect, createServer, type Server, type Socket } from "node:net";

export class Line {
  readonly #open = new Set<Socket>();
  #down = false;
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(port: number): Promise<Line> {
    const server = createServer((near) => line.#join(near, port));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no free port");
    const line = new Line(server, `http://127.0.0.1:${address.port}`);
    return line;
  }

  #join(near: Socket, port: number): void {
    if (this.#down) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        this.#open.delete(one);
        other.destroy();
      });
    }
  }

  cut(): void {
    this.#down = true;
    for (const socket of this.#open) socket.destroy();
  }
  mend(): void {
    this.#down = false;
  }
  async end(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
