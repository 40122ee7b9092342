/** Starts the strict provider in a process of its own and asks it what it saw. */
import { type ChildProcess, fork } from "node:child_process";
import { z } from "zod";

const state = z.object({ violations: z.array(z.string()), requests: z.number() });

export class ProviderProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(seed: number): Promise<ProviderProcess> {
    const child = fork(process.argv[1] ?? "", ["provider", String(seed)]);
    const port = await new Promise<number>((resolve, reject) => {
      child.once("message", (message) => resolve(z.object({ port: z.number() }).parse(message).port));
      child.once("exit", () => reject(new Error("the provider did not start")));
    });
    return new ProviderProcess(child, `http://127.0.0.1:${port}`);
  }

  get pid(): number {
    return this.child.pid ?? process.pid;
  }
  async state(): Promise<z.infer<typeof state>> {
    return state.parse(await (await fetch(`${this.url}/state`)).json());
  }
  /** The request that a probe came with, as text; null: it never came. */
  async probe(id: string): Promise<string | null> {
    const text = await (await fetch(`${this.url}/probe/${id}`)).text();
    return text === "null" ? null : text;
  }
  stop(): void {
    this.child.kill("SIGKILL");
  }
}
