/** Starts the built server on a data root of its own, as `npm start` does, and stops it in every way a server can end. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ADMIN_PASSWORD = "correct horse battery";

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

export class TestServer {
  #child: ChildProcess | null = null;
  #output = "";
  private constructor(
    /** The data root. */
    readonly root: string,
    /** A folder below which Workspaces may lie. */
    readonly workspaces: string,
    readonly port: number,
    private readonly env: Record<string, string>,
  ) {}

  /** `base`: the folder in which its data root is made. */
  static async start(env: Record<string, string> = {}, base?: string): Promise<TestServer> {
    base ??= await mkdtemp(join(tmpdir(), "penguin-e2e-"));
    const workspaces = await mkdtemp(join(tmpdir(), "penguin-e2e-work-"));
    const server = new TestServer(join(base, "data"), workspaces, await freePort(), env);
    await server.up();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }
  /** Everything the server printed so far. */
  get output(): string {
    return this.#output;
  }

  async up(): Promise<void> {
    const child = spawn(process.execPath, ["scripts/start.mjs", "--port", String(this.port)], {
      env: {
        NODE_ENV: "production",
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? "",
        PENGUIN_HOME: this.root,
        PENGUIN_ADMIN_PASSWORD: ADMIN_PASSWORD,
        PENGUIN_WORKSPACE_ROOTS: this.workspaces,
        // The scripted provider answers in turn: a request beside the conversation would take an answer away.
        PENGUIN_AUTO_TITLE: "0",
        // The same on every machine; what isolation does is tested by itself.
        PENGUIN_SANDBOX: "off",
        ...this.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.#output += chunk.toString("utf8");
      });
    }
    for (let i = 0; i < 300; i++) {
      if (child.exitCode !== null) throw new Error(`the server ended early:\n${this.#output}`);
      const ok = await fetch(`${this.url}/api/health`).then(
        (r) => r.ok,
        () => false,
      );
      if (ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the server did not come up:\n${this.#output}`);
  }

  /** Ends it and waits; resolves with the milliseconds that took. SIGKILL goes to the whole group. */
  async down(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<number> {
    const child = this.#child;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return 0;
    const began = Date.now();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    process.kill(signal === "SIGKILL" ? -child.pid : child.pid, signal);
    await ended;
    this.#child = null;
    return Date.now() - began;
  }

  async remove(): Promise<void> {
    await this.down("SIGKILL");
    await rm(join(this.root, ".."), { recursive: true, force: true });
    await rm(this.workspaces, { recursive: true, force: true });
  }
}
