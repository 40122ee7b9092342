/** Environment -> settings, read once. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";

export interface Config {
  /** The data root (PENGUIN_HOME). */
  root: string;
  host: string;
  port: number;
  /** Password of the first admin; absent: a one-time sign-in link is printed. */
  adminPassword?: string;
  authSecret?: string;
  publicUrl?: string;
  trustProxy: boolean;
  importMaxBytes: number;
  /** Folders below which a Workspace may lie; empty: the home directory without dot-folders. */
  workspaceRoots: string[];
  /** Models give titles to Sessions; PENGUIN_AUTO_TITLE=0 turns it off. */
  autoTitle: boolean;
  /** Where finished Tasks are told to as OpenTelemetry spans (OTLP/HTTP, JSON); absent: nowhere. */
  otlp?: { url: string; headers: Record<string, string>; content: boolean };
  /** Sign-in through an OpenID provider, as the environment says it; absent: passwords only. */
  oidc?: OidcConfig;
  /** Shell of commands; absent: `bash -lc`. */
  shell?: string;
  /** Are commands isolated where that can be done? PENGUIN_SANDBOX=off turns it off. */
  sandbox: boolean;
  /** What the commands of one isolated Session may take together: bytes, and a number of processes. */
  commandLimits: { memory: number; processes: number };
}

/** PENGUIN_OIDC_…: checked and understood by `server/auth/oidc/settings.ts`. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret?: string;
  /** What the button on the sign-in page says. */
  name: string;
  scope: string;
  groupsClaim: string;
  /** `group=project:role;group=admin`. */
  groups: string;
  /** How long a sign-in lasts. */
  hours: number;
}

const MIB = 1024 * 1024;

/** Reads settings from the environment. A number that makes no sense falls back to its default. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const number = (value: string | undefined, fallback: number) => {
    const parsed = Number(value);
    return value && Number.isFinite(parsed) && parsed > 0 ? parsed : fallback;
  };
  return {
    root: resolve(/*turbopackIgnore: true*/ env.PENGUIN_HOME || join(homedir(), ".penguin", "data")),
    host: env.HOST || "127.0.0.1",
    port: number(env.PORT, 7364),
    adminPassword: env.PENGUIN_ADMIN_PASSWORD || undefined,
    authSecret: env.AUTH_SECRET || env.NEXTAUTH_SECRET || undefined,
    publicUrl: env.PENGUIN_PUBLIC_URL || undefined,
    trustProxy: env.PENGUIN_TRUST_PROXY === "1",
    importMaxBytes: number(env.PENGUIN_IMPORT_MAX_MB, 512) * MIB,
    workspaceRoots: (env.PENGUIN_WORKSPACE_ROOTS ?? "")
      .split(":")
      .filter(Boolean)
      .map((path) => resolve(path)),
    autoTitle: env.PENGUIN_AUTO_TITLE !== "0",
    otlp: otlpTarget(env),
    oidc: oidcConfig(env, number(env.PENGUIN_OIDC_HOURS, 24)),
    shell: env.PENGUIN_SHELL || undefined,
    sandbox: env.PENGUIN_SANDBOX !== "off",
    commandLimits: {
      memory: number(env.PENGUIN_COMMAND_MEMORY_MB, 4_096) * MIB,
      processes: number(env.PENGUIN_COMMAND_PROCESSES, 512),
    },
  };
}

/** PENGUIN_OTLP_URL is the whole address (`…/v1/traces`), PENGUIN_OTLP_HEADERS `name=value,…`, PENGUIN_OTLP_CONTENT=1 adds texts. */
function otlpTarget(env: NodeJS.ProcessEnv): Config["otlp"] {
  if (!env.PENGUIN_OTLP_URL || !URL.canParse(env.PENGUIN_OTLP_URL)) return undefined;
  const headers = (env.PENGUIN_OTLP_HEADERS ?? "").split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 ? [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const] : [];
  });
  return {
    url: env.PENGUIN_OTLP_URL,
    headers: Object.fromEntries(headers),
    content: env.PENGUIN_OTLP_CONTENT === "1",
  };
}

function oidcConfig(env: NodeJS.ProcessEnv, hours: number): OidcConfig | undefined {
  if (!env.PENGUIN_OIDC_ISSUER) return undefined;
  return {
    issuer: env.PENGUIN_OIDC_ISSUER,
    clientId: env.PENGUIN_OIDC_CLIENT_ID ?? "",
    clientSecret: env.PENGUIN_OIDC_CLIENT_SECRET || undefined,
    name: env.PENGUIN_OIDC_NAME?.trim() || "SSO",
    scope: env.PENGUIN_OIDC_SCOPE?.trim() || "openid profile email",
    groupsClaim: env.PENGUIN_OIDC_GROUPS_CLAIM?.trim() || "groups",
    groups: env.PENGUIN_OIDC_GROUPS ?? "",
    hours,
  };
}
