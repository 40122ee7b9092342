/** Route handlers in process, on a data root of their own, as signed-in people: for tests. */
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { SESSION_COOKIE } from "@/server/auth/person";
import { readConfig } from "@/server/config";
import { createRuntime, type Runtime, type RuntimeOptions, useRuntime as setRuntime } from "@/server/runtime";
import { Hasher } from "@/server/users/hash";
import type { Handler } from "./routes";

export interface Answer {
  status: number;
  text: string;
  /** Tests look into answers of every shape. */
  body: Awaited<ReturnType<Response["json"]>>;
  response: Response;
}
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What of a request is not told by its method and path. */
export interface Sent {
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

export class TestApi {
  private constructor(
    /** Holds the data root and is removed with it. */
    readonly base: string,
    /** The data root. */
    readonly root: string,
    readonly made: Runtime,
  ) {}

  /** `settings`: environment variables of the server. */
  static async start(options: RuntimeOptions = {}, settings: Record<string, string> = {}): Promise<TestApi> {
    const base = await realpath(await mkdtemp(join(tmpdir(), "penguin-api-")));
    const root = join(base, "data");
    const env = {
      PENGUIN_HOME: root,
      NODE_ENV: "test" as const,
      PENGUIN_AUTO_TITLE: "0",
      PENGUIN_SANDBOX: "off",
      ...settings,
    };
    const made = await createRuntime(readConfig(env), {
      hasher: new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }),
      env: { NODE_ENV: "test" },
      ...options,
    });
    setRuntime(made);
    return new TestApi(base, root, made);
  }

  async stop(): Promise<void> {
    setRuntime(undefined);
    this.made.shutdown();
    await rm(this.base, { recursive: true, force: true });
  }

  /** A cookie of a new sign-in. */
  async signIn(id: string): Promise<string> {
    const sid = await this.made.users.addSignIn(id);
    return `${SESSION_COOKIE}=${await encode({ token: { sub: id, sid }, secret: this.made.secret })}`;
  }

  /** Calls a route; `as` is a cookie or a Bearer token. The path names its route file by itself. */
  call(as: string, method: Method, path: string, body?: unknown): Promise<Answer> {
    const bodyless = method === "GET" || method === "DELETE";
    return this.send(as, method, path, {
      headers: method === "GET" ? {} : { "content-type": "application/json" },
      ...(bodyless ? {} : { body: JSON.stringify(body ?? {}) }),
    });
  }

  /** The same with headers and a body of one's own. */
  async send(as: string, method: Method, path: string, { headers = {}, body }: Sent): Promise<Answer> {
    const url = new URL(path, "http://127.0.0.1:7364");
    const { file, params } = routeOf(url.pathname);
    const exported: Record<string, unknown> = await import(file);
    const handler = exported[method];
    if (typeof handler !== "function") throw new Error(`${path} has no ${method}`);
    const who: Record<string, string> =
      as === "" ? {} : as.includes("=") ? { cookie: as } : { authorization: `Bearer ${as}` };
    const request = new Request(url, { method, headers: { host: "127.0.0.1:7364", ...who, ...headers }, body });
    const response = await (handler as Handler)(request, { params: Promise.resolve(params) });
    const stream = response.headers.get("content-type")?.startsWith("text/event-stream");
    const text = stream ? "" : await response.text();
    return { status: response.status, text, body: parsed(text), response };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NAMES: Record<string, string[]> = {
  projects: ["[project]"],
  agents: ["[agent]"],
  sessions: ["[session]"],
  users: ["[user]"],
  members: ["[user]"],
};

/** The route file of a path: a fixed name where there is one, else the folder in brackets. */
function routeOf(pathname: string): { file: string; params: Record<string, string> } {
  const params: Record<string, string> = {};
  let at = join(import.meta.dirname, "..");
  let before = "";
  for (const part of pathname.split("/").slice(2).map(decodeURIComponent)) {
    const known = existsSync(join(at, part));
    const names = [...(NAMES[before] ?? []), "[id]", "[session]", "[index]", "[line]", "[file]"];
    const name = known ? part : names.find((candidate) => existsSync(join(at, candidate)));
    if (!name) throw new Error(`no route for ${pathname}`);
    if (!known) params[name.slice(1, -1)] = part;
    at = join(at, name);
    before = part;
  }
  return { file: join(at, "route.ts"), params };
}
