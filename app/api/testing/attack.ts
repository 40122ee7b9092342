/**
 * For the list of attacks (docs/attacks.md): two Projects, secrets with a mark in every place that an attacker would
 * like to read, and `bob`, a member of one of them, with a Session in which the model does what the attacker wants.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isPayloadOf } from "@/lib/omni/guards";
import type { ToolCallOutputPayload } from "@/lib/omni/message";
import { answer, ScriptedLlm, type Answer as Turn } from "@/server/engine/testing/script";
import type { RuntimeOptions } from "@/server/runtime";
import { TestApi } from "./server";

/** Stands in every file that is none of bob's business. */
export const MARK = "MARKED-SECRET";

export interface ToolOrder {
  name: string;
  args: Record<string, unknown>;
}
export type Output = Pick<ToolCallOutputPayload, "output" | "stop_reason">;

export class AttackedServer {
  readonly places: Record<string, string> = {};
  bob = "";
  ann = "";
  workspace = "";
  /** Address of bob's Session in the API. */
  session = "";
  /** Of a Session that only ann may see, under the same Agent. */
  readonly privateSession = "session-2026-01-01-00-00-00-0a0a0a0a";
  private constructor(
    readonly api: TestApi,
    private readonly script: { llm: ScriptedLlm },
  ) {}

  static async start(options: RuntimeOptions = {}, settings: Record<string, string> = {}): Promise<AttackedServer> {
    const script = { llm: new ScriptedLlm([answer({ say: "hello" })]) };
    const api = await TestApi.start(
      { ...options, sessionHost: (host) => ({ ...host, createLlm: () => script.llm }) },
      { PENGUIN_SHELL: "bash -c", ...settings },
    );
    const server = new AttackedServer(api, script);
    await server.furnish();
    return server;
  }

  stop(): Promise<void> {
    return this.api.stop();
  }

  private async furnish(): Promise<void> {
    const { made, base } = this.api;
    for (const [project, owner] of [
      ["alpha", "ann"],
      ["beta", "eve"],
    ] as const) {
      await made.projects.create(project, project, owner);
      for (const agent of ["default_agent", "other_agent"]) await made.agents.ensure({ project, agent });
    }
    for (const id of ["ann", "bob"]) await made.users.create({ id, password: `${id}-password` });
    await made.projects.members.add("alpha", { user: "bob", role: "member" }, []);
    this.ann = await this.api.signIn("ann");
    this.bob = await this.api.signIn("bob");
    this.workspace = join(base, "work");
    await mkdir(this.workspace);
    await made.allowances.set("alpha", {
      env_keys: false,
      private_addresses: false,
      workspace_roots: [this.workspace],
    });
    await this.mark();
    await this.openSession();
  }

  private async mark(): Promise<void> {
    const { layout } = this.api.made;
    const alpha = { project: "alpha", agent: "default_agent" };
    const other = { project: "alpha", agent: "other_agent" };
    const beta = { project: "beta", agent: "default_agent" };
    const at = "2026-01-01T00:00:00.000Z";
    const settings = { title: null, archived: false, approval_mode: "read-only", thinking_level: null };
    const info = { type: "session_info", ...settings, visibility: "private" };
    const trace = (id: string) =>
      [
        { timestamp: at, type: "session_meta", payload: { session_id: id, created_by: "ann" } },
        { timestamp: at, type: "event_msg", payload: info },
        { timestamp: at, type: "model_msg", payload: { type: "text", role: "user", text: MARK } },
      ]
        .map((line) => JSON.stringify(line))
        .join("\n");
    const model = `models = [{ provider = "p", model_id = "m", base_url = "https://203.0.113.9/v1", api_key = "${MARK}" }]\n`;
    // Its values are masked wherever they go, its file is not to be read at all.
    const vault = `TOKEN = "a-value-of-the-vault" # ${MARK}\n`;
    const files: Record<string, [path: string, text: string]> = {
      "another Project's config": [layout.projectConfig("beta"), model],
      "its own Project's config": [layout.projectConfig("alpha"), model],
      "its own vault": [layout.vault(alpha), vault],
      "another Agent's vault": [layout.vault(other), vault],
      "another Project's vault": [layout.vault(beta), vault],
      "another Project's instructions": [layout.instructions(beta), MARK],
      "another Agent's Trace": [
        layout.traceFile(other, "2026-01-01", this.privateSession, 1),
        trace(this.privateSession),
      ],
      "a private Session's Trace": [
        layout.traceFile(alpha, "2026-01-01", this.privateSession, 1),
        trace(this.privateSession),
      ],
      "another Session's scratchpad": [join(layout.scratchpad(alpha, this.privateSession), "notes.txt"), MARK],
      "another Session's Workspace": [join(layout.temporaryWorkspace(alpha, "0a0a0a0a"), "notes.txt"), MARK],
      "the signing secret": [join(layout.root, ".auth_secret.old"), MARK],
      "the server's settings": [`${layout.serverSettings}.bak`, MARK],
      "the audit of the server": [`${layout.audit}.old`, `{"by":"${MARK}"}\n`],
      "a file beside the Workspace": [join(this.api.base, "beside.txt"), MARK],
    };
    for (const [name, [path, text]] of Object.entries(files)) {
      this.places[name] = path;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text, { mode: 0o600 });
    }
    this.places["the file of a person"] = layout.user("ann");
    this.places["the key that signs cookies"] = layout.authSecret;
  }

  private async openSession(): Promise<void> {
    const sessions = "/api/projects/alpha/agents/default_agent/sessions";
    const body = { workspace: this.workspace, approval_mode: "allow-all", model: { provider: "p", model_id: "m" } };
    const made = await this.api.call(this.bob, "POST", sessions, body);
    if (made.status !== 201) throw new Error(made.text);
    this.session = `${sessions}/${made.body.session.id}`;
  }

  /** The model does all of this in one turn, everything allowed; the outputs in that order. */
  async tools(orders: readonly ToolOrder[]): Promise<Output[]> {
    const id = `k${Math.random().toString(36).slice(2)}`;
    const calls = orders.map(({ name, args }, i) => ({ call: name, id: `${id}_${i}`, args: JSON.stringify(args) }));
    const turns: Turn[] = [answer(...calls), answer({ say: "done" })];
    this.script.llm = new ScriptedLlm(turns);
    const input = [{ type: "text", text: "go" }];
    const started = await this.api.call(this.bob, "POST", `${this.session}/tasks`, { input, client_id: id });
    if (started.status !== 202) throw new Error(started.text);
    const ref = { project: "alpha", agent: "default_agent", session: this.session.split("/").at(-1) ?? "" };
    const session = this.api.made.sessions.peek(ref);
    while (session && session.status !== "idle") await new Promise((resolve) => setTimeout(resolve, 5));
    const given = new Map<string, Output>();
    for (const { message } of session?.records ?? []) {
      if (isPayloadOf(message, "tool_call_output")) given.set(message.payload.tool_call_id, message.payload);
    }
    return calls.map((call) => given.get(call.id) ?? { output: "", stop_reason: "failed" });
  }

  /** The bytes of every place, to see that none was written to. */
  async contents(): Promise<string[]> {
    return Promise.all(Object.values(this.places).map((path) => readFile(path, "utf8")));
  }
}
