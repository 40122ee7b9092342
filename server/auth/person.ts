/** Who sends this request: the sign-in in the session cookie, checked against the user's file on every request. */
import { decode } from "next-auth/jwt";
import type { Users } from "../users/users";

export interface Person {
  id: string;
  name: string;
  admin: boolean;
  /** The sign-in this request belongs to. */
  sid: string;
}

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
