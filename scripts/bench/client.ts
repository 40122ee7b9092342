/** The HTTP API as a program uses it: sign in, set a model up, run Tasks, read event streams. */
import { get } from "node:http";
import { z } from "zod";
import { ADMIN_PASSWORD } from "../../e2e/support/server";
import { FRAME_EVENTS, type Frame } from "../../lib/api/frames";
import { routes } from "../../lib/api/routes";

const PROJECT = "default_project";
const AGENT = "default_agent";
const csrf = z.object({ csrfToken: z.string() });
const created = z.object({ session: z.object({ id: z.string() }) });
const cookies = (response: Response) => response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");

export class Client {
  private constructor(
    private readonly base: string,
    private readonly cookie: string,
  ) {}

  static async signIn(base: string): Promise<Client> {
    const asked = await fetch(`${base}/api/auth/csrf`);
    const { csrfToken } = csrf.parse(await asked.json());
    const response = await fetch(`${base}/api/auth/callback/credentials`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded", cookie: cookies(asked).join("; "), origin: base },
      body: new URLSearchParams({ csrfToken, user: "admin", password: ADMIN_PASSWORD, json: "true" }),
    });
    const cookie = cookies(response).find((one) => one.startsWith("penguin_session"));
    if (!cookie) throw new Error(`sign-in failed: ${response.status}`);
    return new Client(base, cookie);
  }

  async #json(method: string, path: string, body: unknown): Promise<unknown> {
    const response = await fetch(this.base + path, {
      method,
      headers: { cookie: this.cookie, "content-type": "application/json", origin: this.base },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  async setModel(base_url: string): Promise<void> {
    const entry = { provider: "bench", model_id: "bench", client_type: "openai-chat", base_url, api_key: "sk-bench" };
    const default_model = { provider: "bench", model_id: "bench" };
    await this.#json("PUT", routes.models(PROJECT), { default_model, models: [entry] });
  }

  async createSession(): Promise<string> {
    return created.parse(await this.#json("POST", routes.sessions(PROJECT, AGENT), {})).session.id;
  }

  async send(session: string, text: string): Promise<void> {
    const ref = { project: PROJECT, agent: AGENT, session };
    await this.#json("POST", routes.tasks(ref), { input: [{ type: "text", text }] });
  }

  /** Reads the event stream until `take` answers true. `opened`: the snapshot is there. */
  events(session: string, take: (frame: Frame) => boolean): { opened: Promise<void>; ended: Promise<void> } {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const ended = new Promise<void>((resolve, reject) => {
      const path = routes.events({ project: PROJECT, agent: AGENT, session });
      const request = get(this.base + path, { headers: { cookie: this.cookie } }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`event stream: ${answer.statusCode}`));
        let rest = "";
        answer.setEncoding("utf8");
        answer.on("data", (text: string) => {
          const parts = (rest + text).split("\n\n");
          rest = parts.pop() ?? "";
          for (const part of parts) {
            const frame = parseFrame(part);
            if (frame?.event === "snapshot") open();
            if (frame && take(frame)) {
              resolve();
              request.destroy();
            }
          }
        });
        answer.on("end", () => reject(new Error("the event stream ended")));
      });
      request.on("error", (error) => reject(error));
    });
    return { opened, ended };
  }
}

function parseFrame(part: string): Frame | null {
  const event = /^event: (\w+)$/m.exec(part)?.[1];
  const data = /^data: (.*)$/m.exec(part)?.[1];
  const known = FRAME_EVENTS.find((name) => name === event);
  // Both ends are this repository: the frame's type follows from its name.
  return known && data ? ({ event: known, data: JSON.parse(data) } as Frame) : null;
}
