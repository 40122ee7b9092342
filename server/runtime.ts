/** The composition root: one registry per process, on globalThis because Next holds several copies of every module. */

import type { ToolCallPayload } from "../lib/omni/message";
import { Agents } from "./agent/agent";
import { Audit } from "./audit";
import { SignInLink } from "./auth/link";
import { SingleSignOn } from "./auth/oidc/single-sign-on";
import { authSecret } from "./auth/secret";
import { Streams } from "./auth/streams";
import { Throttle } from "./auth/throttle";
import { type Config, type OidcConfig, readConfig } from "./config";
import { firstStart } from "./first-start";
import { detectEndpoint } from "./llm/detect";
import { findLocalServers } from "./llm/local-servers";
import { testModel } from "./llm/probe";
import { publicFetch } from "./net/public-fetch";
import { type Layout, layout } from "./paths";
import { Allowances } from "./project/allowances";
import { CommandPolicy } from "./project/command-policy";
import { ProjectIsolation } from "./project/isolation";
import { Models } from "./project/models";
import { Projects } from "./project/projects";
import type { Env } from "./project/vendors";
import { LiveStreams } from "./session/live";
import { type SessionHost, serverHost } from "./session/open";
import { SessionRegistry } from "./session/registry";
import { ShareDesk } from "./share/desk";
import { endAllOf } from "./share/ends";
import { Shares } from "./share/shares";
import { TomlFiles } from "./toml-file";
import { TraceStore } from "./trace/store";
import { BudgetConfig } from "./usage/budget-config";
import { Budgets } from "./usage/budgets";
import { UsageCalls } from "./usage/calls";
import { Deletions } from "./usage/deletions";
import { LiveExport, type OtlpTarget } from "./usage/otlp-live";
import { Usage } from "./usage/usage";
import { Federated } from "./users/federated";
import { Hasher } from "./users/hash";
import { MarksOfPeople } from "./users/marks";
import { Tokens } from "./users/tokens";
import { Users } from "./users/users";
import { Isolation, networkOf } from "./workspace/isolation";

export interface Runtime {
  config: Config;
  layout: Layout;
  files: TomlFiles;
  users: Users;
  tokens: Tokens;
  marks: MarksOfPeople;
  projects: Projects;
  models: Models;
  allowances: Allowances;
  commandPolicy: CommandPolicy;
  projectIsolation: ProjectIsolation;
  isolation: Isolation;
  agents: Agents;
  audit: Audit;
  shares: Shares;
  shareDesk: ShareDesk;
  streams: Streams;
  traces: TraceStore;
  usage: Usage;
  budgets: Budgets;
  sessions: SessionRegistry;
  live: LiveStreams;
  throttle: Throttle;
  link: SignInLink;
  /** Absent: people sign in with passwords only. */
  sso?: SingleSignOn;
  /** Signs the session cookies. */
  secret: string;
  /** Ends everything at once, synchronously: for the signal handler. */
  shutdown(): void;
}

export interface RuntimeOptions {
  /** Cheap hashes for tests. */
  hasher?: Hasher;
  /** Where model keys may come from; default: this process's environment. */
  env?: Env;
  /** Other models or tools for Sessions. */
  sessionHost?(host: SessionHost): SessionHost;
}

/** What stands between a call and a shell: the rules of a Project, and how its commands are kept apart from the machine. */
function commandGuards(config: Config, paths: Layout, files: TomlFiles) {
  const commandPolicy = new CommandPolicy(paths, files);
  const projectIsolation = new ProjectIsolation(paths, files);
  const isolation = new Isolation({ folder: paths.sandbox, limits: config.commandLimits, wanted: config.sandbox });
  const demanded = async (project: string, call: ToolCallPayload) => {
    if (call.name !== "exec_command" || !(await projectIsolation.of(project)).required) return null;
    const { sandbox, problem } = await isolation.found();
    if (sandbox) return null;
    const missing = problem === "no_bubblewrap";
    const why = missing ? "bubblewrap is not installed" : `on this server that cannot be done (${problem})`;
    return { rule: "isolation-required", message: `This Project runs commands only where they are isolated; ${why}.` };
  };
  return {
    commandPolicy,
    projectIsolation,
    isolation,
    isolate: async (project: string) => {
      const [found, { network }] = await Promise.all([isolation.found(), projectIsolation.of(project)]);
      return found.sandbox ? { sandbox: found.sandbox, network: networkOf(network, found) } : undefined;
    },
    veto: async (project: string, call: ToolCallPayload) =>
      (await commandPolicy.veto(project, call)) ?? demanded(project, call),
  };
}

/** How far a model's requests may go. */
const reach = (publicOnly = false): { fetch?: typeof fetch } => (publicOnly ? { fetch: publicFetch() } : {});

/** Gathers the parts for one data root. Touches the disk only to make what a first start needs. */
export async function createRuntime(config: Config, options: RuntimeOptions = {}): Promise<Runtime> {
  const paths = layout(config.root);
  const files = new TomlFiles();
  const users = new Users(paths, files, options.hasher ?? new Hasher());
  const projects = new Projects(paths, files);
  const agents = new Agents(paths);
  await firstStart({ config, layout: paths, users, projects, agents });
  const allowances = new Allowances(paths, files);
  const streams = new Streams();
  const models = new Models(paths, files, allowances, {
    env: options.env ?? process.env,
    test: (model) => testModel(model, reach(model.public_only)),
    detect: (address, key, publicOnly) => detectEndpoint(address, key, reach(publicOnly)),
    local: () => findLocalServers(),
  });
  const traces = new TraceStore(paths);
  const defaults = (project: string) => projects.defaults(project);
  traces.privateByDefault = async (project) => (await defaults(project)).visibility === "private";
  const extraRoots = async (project: string) => (await allowances.of(project)).workspace_roots;
  const calls = new UsageCalls(paths);
  const audit = new Audit(paths);
  const budgets = new Budgets({
    config: new BudgetConfig(paths, files),
    deletions: new Deletions(paths, audit),
    members: projects.members,
    calls,
    agents,
    models,
    users,
  });
  const guards = commandGuards(config, paths, files);
  const host = serverHost({
    config,
    layout: paths,
    traces,
    agents,
    models,
    budgets,
    extraRoots,
    defaults,
    isolation: guards.isolate,
    veto: guards.veto,
  });
  const sessions = new SessionRegistry(options.sessionHost?.(host) ?? host);
  const secret = await authSecret(paths.authSecret, config.authSecret);
  const usage = new Usage({ calls, traces, agents, models, users, secret });
  const shares = new Shares(paths);
  const secrets = [secret, ...secretsIn(options.env ?? process.env)];
  const throttle = new Throttle();
  const sso = config.oidc && makeSso(config.oidc, { users, projects, throttle, audit, streams, shares, sessions });
  if (config.otlp) exportLive(config.otlp, sessions, usage);
  return {
    config,
    layout: paths,
    files,
    users,
    tokens: new Tokens(users.store),
    marks: new MarksOfPeople(paths, files),
    projects,
    models,
    allowances,
    commandPolicy: guards.commandPolicy,
    projectIsolation: guards.projectIsolation,
    isolation: guards.isolation,
    agents,
    audit,
    shares,
    shareDesk: new ShareDesk({ layout: paths, shares, traces, agents, models, users, projects, secrets }),
    budgets,
    traces,
    usage,
    sessions,
    live: new LiveStreams({ sessions, projects, agents, streams }),
    streams,
    shutdown: () => {
      try {
        sessions.closeAll();
      } finally {
        streams.closeAll();
      }
    },
    throttle,
    link: new SignInLink(),
    secret,
    sso,
  };
}

type SsoNeeds = Pick<Runtime, "users" | "projects" | "throttle" | "audit" | "streams" | "shares" | "sessions">;

function makeSso(config: OidcConfig, needs: SsoNeeds): SingleSignOn {
  const { users, projects, throttle, audit, streams } = needs;
  const leaves = async (user: string, project: string) => {
    const role = (await projects.members.list(project))?.find((member) => member.user === user)?.role;
    if (role !== "owner" && role !== "member") await endAllOf(needs, [project], user, "server");
  };
  return new SingleSignOn(config, {
    users,
    people: new Federated(users),
    projects,
    throttle,
    admins: () => users.admins(),
    audit: (entry, project) => audit.write({ by: "server", ...entry }, project),
    changed: (user, project) => {
      streams.close((stream) => stream.person.id === user && stream.project === project);
      leaves(user, project).catch((error: unknown) => console.error("[oidc] what was theirs goes on:", error));
    },
  });
}

/** Values of the environment that are called a secret. */
function secretsIn(env: Env): string[] {
  const secret = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/;
  return Object.entries(env).flatMap(([name, value]) =>
    value && secret.test(name) && value.length >= 8 ? [value] : [],
  );
}

function exportLive(target: OtlpTarget, sessions: SessionRegistry, usage: Usage): void {
  new LiveExport({
    target,
    watch: (watcher) => void sessions.watch(watcher),
    busy: (ref) => (sessions.peek(ref)?.status ?? "idle") !== "idle",
    spans: (ref, from) => usage.spans(ref, from, target.content),
  });
}

const shared: { penguinRuntime?: Promise<Runtime> } = globalThis as typeof globalThis & {
  penguinRuntime?: Promise<Runtime>;
};

/** The runtime of this process; made at the first call. */
export function runtime(): Promise<Runtime> {
  shared.penguinRuntime ??= createRuntime(readConfig()).catch((error: unknown) => {
    shared.penguinRuntime = undefined;
    throw error;
  });
  return shared.penguinRuntime;
}

/** For tests: use this runtime instead of one made from the environment. */
export function useRuntime(made: Runtime | undefined): void {
  shared.penguinRuntime = made && Promise.resolve(made);
}
