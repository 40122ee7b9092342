/** The composition root: one registry per process, on globalThis because Next holds several copies of every module. */
import { Agents } from "./agent/agent";
import { Audit } from "./audit";
import { authSecret } from "./auth/secret";
import { Streams } from "./auth/streams";
import { type Config, readConfig } from "./config";
import { type Layout, layout } from "./paths";
import { Projects } from "./project/projects";
import { TomlFiles } from "./toml-file";
import { TraceStore } from "./trace/store";
import { Hasher } from "./users/hash";
import { Users } from "./users/users";

export interface Runtime {
  config: Config;
  layout: Layout;
  users: Users;
  projects: Projects;
  agents: Agents;
  audit: Audit;
  streams: Streams;
  traces: TraceStore;
  /** Signs the session cookies. */
  secret: string;
}

export interface RuntimeOptions {
  hasher?: Hasher;
}

/** Gathers the parts for one data root. Touches the disk only to make what a first start needs. */
export async function createRuntime(config: Config, options: RuntimeOptions = {}): Promise<Runtime> {
  const paths = layout(config.root);
  const files = new TomlFiles();
  const users = new Users(paths, files, options.hasher ?? new Hasher());
  const projects = new Projects(paths, files);
  return {
    config,
    layout: paths,
    users,
    projects,
    agents: new Agents(paths),
    audit: new Audit(paths),
    streams: new Streams(),
    traces: new TraceStore(paths),
    secret: await authSecret(paths.authSecret, config.authSecret),
  };
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
