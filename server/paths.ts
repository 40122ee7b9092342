/**
 * The on-disk layout as pure functions. Ids are validated here and traversal is refused here: an id that does not
 * match is answered 404 before a path is built. Beside `lib/trace/name.ts` the only home of path literals.
 */
import { join } from "node:path";
import { AppError } from "../lib/api/errors";
import { isDateFolder, isSessionId, traceFileName } from "../lib/trace/name";

const GENERIC_ID = /^[A-Za-z0-9_-]{1,128}$/;
const USER_ID = /^[a-z][a-z0-9_]{1,31}$/;
const NEW_ID = /^[a-z][a-z0-9_]{1,63}$/;

export const DEFAULT_PROJECT = "default_project";
export const DEFAULT_AGENT = "default_agent";

/** May a new Project or Agent be called this? Existing ones may have looser names. */
export const isNewId = (id: string): boolean => NEW_ID.test(id);
export const isUserId = (id: string): boolean => USER_ID.test(id);
export const isGenericId = (id: string): boolean => GENERIC_ID.test(id);
/** The hash of the token of a share link, by which its files are called. */
export const isShareHash = (hash: string): boolean => /^[0-9a-f]{64}$/.test(hash);

function checked(id: string, ok: (id: string) => boolean): string {
  if (!ok(id)) throw new AppError("not_found");
  return id;
}

export interface AgentRef {
  project: string;
  agent: string;
}

/** All paths below one data root. Every function throws `not_found` for an id that does not match its rule. */
export function layout(root: string) {
  const project = (id: string) => join(root, checked(id, isGenericId));
  const agents = (id: string) => join(project(id), "agents");
  const agent = (ref: AgentRef) => join(agents(ref.project), checked(ref.agent, isGenericId));
  const agentState = (ref: AgentRef) => join(agent(ref), "agent_state");
  const traces = (ref: AgentRef) => join(agent(ref), "traces");
  const scratchpad = (ref: AgentRef, session: string) => join(agent(ref), "scratchpad", checked(session, isSessionId));
  return {
    root,
    authSecret: join(root, ".auth_secret"),
    users: join(root, ".users"),
    user: (id: string) => join(root, ".users", `${checked(id, isUserId)}.toml`),
    serverLock: join(root, ".server.lock"),
    /** Lock file of the reference implementation; respected when its process lives. */
    foreignLock: join(root, "server.lock"),
    serverSettings: join(root, ".server.toml"),
    /** Files that isolated commands see instead of the machine's own. */
    sandbox: join(root, ".sandbox"),
    audit: join(root, ".audit.jsonl"),

    project,
    projectConfig: (id: string) => join(project(id), ".project_config.toml"),
    members: (id: string) => join(project(id), ".members.toml"),
    projectAudit: (id: string) => join(project(id), ".audit.jsonl"),
    shares: (id: string) => join(project(id), ".shares"),
    share: (id: string, hash: string) => join(project(id), ".shares", `${checked(hash, isShareHash)}.json`),
    shareCopy: (id: string, hash: string) => join(project(id), ".shares", `${checked(hash, isShareHash)}.copy.json`),
    shareReads: (id: string, hash: string) => join(project(id), ".shares", `${checked(hash, isShareHash)}.reads.jsonl`),

    agents,
    agent,
    agentState,
    systemConfig: (ref: AgentRef) => join(agentState(ref), "system_config.yaml"),
    instructions: (ref: AgentRef) => join(agentState(ref), "AGENTS.md"),
    vault: (ref: AgentRef) => join(agentState(ref), ".vault.toml"),
    tools: (ref: AgentRef) => join(agentState(ref), "tools"),
    memory: (ref: AgentRef) => join(agentState(ref), "memory"),
    skills: (ref: AgentRef) => join(agentState(ref), "skills"),
    schedule: (ref: AgentRef) => join(agentState(ref), "schedule"),

    traces,
    traceFile: (ref: AgentRef, date: string, session: string, index: number) =>
      join(traces(ref), checked(date, isDateFolder), traceFileName(checked(session, isSessionId), index)),
    imports: (ref: AgentRef) => join(traces(ref), ".imports.jsonl"),
    /** Where uploads lie until they are checked. */
    incoming: (ref: AgentRef) => join(traces(ref), ".incoming"),
    queues: (ref: AgentRef) => join(traces(ref), ".queue"),
    incomingBundles: (ref: AgentRef) => join(traces(ref), ".incoming-bundles"),
    queue: (ref: AgentRef, session: string) => join(traces(ref), ".queue", `${checked(session, isSessionId)}.json`),

    scratchpads: (ref: AgentRef) => join(agent(ref), "scratchpad"),
    scratchpad,
    /** Recovery files of bounded tool output. */
    truncatedOutput: (ref: AgentRef, session: string) => join(scratchpad(ref, session), "truncated-tool-output"),
    goalFile: (ref: AgentRef, session: string) => join(scratchpad(ref, session), "GOAL.yaml"),
    sessionTmp: (ref: AgentRef, session: string) => join(scratchpad(ref, session), "tmp"),
    sharedEnv: (ref: AgentRef) => join(agent(ref), "shared_env"),
    sharedHome: (ref: AgentRef) => join(agent(ref), "shared_env", "home"),
    workspaces: (ref: AgentRef) => join(agent(ref), "workspaces"),
    temporaryWorkspace: (ref: AgentRef, hex8: string) => join(agent(ref), "workspaces", `tmp-${hex8}`),
  };
}
export type Layout = ReturnType<typeof layout>;

/** Files that no Session may read, wherever they lie: compared in lower case, on the given and on the real path. */
export const SECRET_FILES: ReadonlySet<string> = new Set([".vault.toml", ".project_config.toml"]);
