/** What PENGUIN_OIDC_… says, checked: a mistake keeps the server from starting, with a sentence that names it. */
import type { Role } from "../../../lib/api/schemas";
import type { OidcConfig } from "../../config";
import { isGenericId } from "../../paths";
import { ROLES } from "../../project/members";
import { isLoopback } from "../security-headers";

/** What a group gives. */
export type Grant = { admin: true } | { project: string; role: Role };

export interface OidcSettings {
  /** Without a slash at its end: with or without, it is the same provider. */
  issuer: string;
  clientId: string;
  clientSecret?: string;
  name: string;
  scope: string;
  groupsClaim: string;
  grants: ReadonlyMap<string, readonly Grant[]>;
  /** Of one sign-in, in milliseconds. */
  lifetime: number;
}

/** No sign-in lasts longer than one by password. */
const MOST_HOURS = 30 * 24;

/** Throws an Error whose message is for whoever starts the server. */
export function oidcSettings(given: OidcConfig): OidcSettings {
  const { issuer, clientId, clientSecret, name, scope, groupsClaim } = given;
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error("PENGUIN_OIDC_ISSUER must be the https address of an OpenID provider.");
  }
  if (url.protocol === "http:" && !isLoopback(url.host)) {
    throw new Error("PENGUIN_OIDC_ISSUER must begin with https:// (http:// only on this machine itself).");
  }
  if (clientId === "") throw new Error("PENGUIN_OIDC_CLIENT_ID is missing.");
  if (!scope.split(/\s+/).includes("openid")) throw new Error("PENGUIN_OIDC_SCOPE must contain openid.");
  const lifetime = Math.min(given.hours, MOST_HOURS) * 3_600_000;
  return {
    issuer: issuer.replace(/\/+$/, ""),
    clientId,
    clientSecret,
    name,
    scope,
    groupsClaim,
    grants: parseGrants(given.groups),
    lifetime,
  };
}

/** `group=project:role;group=admin`. The last `=` counts: names of groups may hold some. */
export function parseGrants(text: string): Map<string, Grant[]> {
  const grants = new Map<string, Grant[]>();
  for (const entry of text.split(/[;\n]/).map((part) => part.trim())) {
    if (entry === "") continue;
    const at = entry.lastIndexOf("=");
    const group = entry.slice(0, at).trim();
    const grant = parseGrant(entry.slice(at + 1).trim());
    if (at < 1 || group === "" || !grant) {
      throw new Error(
        `PENGUIN_OIDC_GROUPS: "${entry}" is neither group=project:role (${ROLES.join(", ")}) nor group=admin.`,
      );
    }
    grants.set(group, [...(grants.get(group) ?? []), grant]);
  }
  return grants;
}

function parseGrant(text: string): Grant | null {
  if (text === "admin") return { admin: true };
  const [project = "", wanted, ...rest] = text.split(":");
  const role = ROLES.find((known) => known === wanted);
  return role && rest.length === 0 && isGenericId(project) ? { project, role } : null;
}
