/** Who sends this request: the sign-in in the session cookie, checked against the user's file on every request. */
import { decode } from "next-auth/jwt";
import { AppError } from "../../lib/api/errors";
import type { TokenScope } from "../../lib/api/team-values";
import { TOKEN_PREFIX, type Tokens } from "../users/tokens";
import type { Users } from "../users/users";

export interface Person {
  id: string;
  name: string;
  admin: boolean;
  /** The sign-in this request belongs to; of a token, its name for streams. */
  sid: string;
  /** A personal access token speaks: less than the person may do. */
  token?: { id: string; scopes: readonly TokenScope[]; projects?: readonly string[] };
}

export const tokenSid = (id: string): string => `token:${id}`;

/** Fixed, whatever the port and the protocol; `Secure` is set per request. */
export const SESSION_COOKIE = "penguin_session";

/** The value of one cookie in a Cookie header. */
export function cookieValue(header: string | null, name: string): string | undefined {
  for (const part of header?.split(";") ?? []) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** The live sign-in behind a session token; null for anything forged, expired, ended or deleted. */
export async function personOfToken(users: Users, secret: string, token: string | undefined): Promise<Person | null> {
  if (!token) return null;
  const claims = await decode({ token, secret }).catch(() => null);
  if (!claims || typeof claims.sub !== "string" || typeof claims.sid !== "string") return null;
  const user = await users.signedIn(claims.sub, claims.sid);
  return user && { id: user.id, name: user.name, admin: user.admin, sid: claims.sid };
}

/** The personal access token of an Authorization header; undefined: there is none of ours. */
export function bearerToken(header: string | null): string | undefined {
  const [, value = ""] = /^Bearer +(\S+)$/i.exec(header?.trim() ?? "") ?? [];
  return value.startsWith(TOKEN_PREFIX) ? value : undefined;
}

/** The person behind a token. Never an admin: nothing of theirs can be done with one. */
export async function personOfBearer(tokens: Tokens, given: string): Promise<Person | null> {
  const found = await tokens.owner(given);
  if (!found) return null;
  const { user, token } = found;
  const { id, scopes, projects } = token;
  return {
    id: user.id,
    name: user.name,
    admin: false,
    sid: tokenSid(id),
    token: { id, scopes, ...(projects ? { projects } : {}) },
  };
}

/** Does the sign-in or token of an open stream still hold? */
export async function stillSignedIn(users: Users, tokens: Tokens, person: Person): Promise<Person | null> {
  if (person.token) return (await tokens.holds(person.id, person.token.id)) ? person : null;
  const user = await users.signedIn(person.id, person.sid);
  return user && { ...person, name: user.name, admin: user.admin };
}

/** A token that may not decide approvals may not turn them off either. */
export function refuseSelfApproval({ token }: Person, mode: string | undefined): void {
  if (token && mode === "allow-all" && !token.scopes.includes("approve")) {
    throw new AppError("forbidden", "This access token may not let a conversation run without asking.");
  }
}
