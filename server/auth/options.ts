/**
 * next-auth: passwords, an OpenID provider where one is set up, JWT, one fixed cookie. Made per request, because `Secure`
 * depends on how we were reached.
 */
import type { NextAuthOptions, User } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { isAppError } from "../../lib/api/errors";
import { describeError } from "../redact";
import { SIGN_IN_LIFETIME_MS } from "../users/user-file";
import type { Users } from "../users/users";
import { deviceOf } from "./device";
import { CALLBACK_COOKIE, ownAddress, STATE_COOKIE } from "./gate";
import { OIDC_ID } from "./oidc/provider";
import type { SingleSignOn } from "./oidc/single-sign-on";
import { SESSION_COOKIE } from "./person";
import type { Throttle } from "./throttle";

export interface AuthParts {
  users: Users;
  throttle: Throttle;
  secret: string;
  /** Was this request made over https, as far as the browser is concerned? */
  secure: boolean;
  /** What the browser calls itself. */
  userAgent: string | null;
  /** Sign-in through an OpenID provider. */
  oidc?: { provider: OAuthConfig<unknown>; sso: SingleSignOn };
  /** After a sign-in: for the log. */
  signedIn(user: { id: string; admin: boolean }, device: string | undefined, how: SignInWay): Promise<void>;
  /** Somebody tried to be this person: for the log. Not waited for: it would tell people apart. */
  signInFailed(user: string, device: string | undefined): Promise<void>;
  /** After the end of a sign-in: closes its streams. */
  signedOut(user: string, sid: string): void;
}

export type SignInWay = "password" | "single_sign_on";

const LIFETIME_S = SIGN_IN_LIFETIME_MS / 1000;

/** A message of next-auth for the log: never a token, a password or a stack. */
const say = (code: string, detail: unknown) => {
  // A stale or foreign cookie is no trouble of ours.
  if (code === "JWT_SESSION_ERROR" || code === "SIGNOUT_ERROR") return;
  // Told in our own words, and by the sign-in page.
  if (code === "OAUTH_CALLBACK_ERROR" || code === "OAUTH_CALLBACK_HANDLER_ERROR") return;
  console.error(`[auth] ${code}${detail instanceof Error ? `: ${detail.name}` : ""}`);
};

async function authorize(parts: AuthParts, given: Record<string, unknown> | undefined) {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const user = text(given?.user).trim();
  const password = text(given?.password);
  try {
    const found = await parts.throttle.attempt(user, () => parts.users.verify(user, password));
    const device = deviceOf(parts.userAgent);
    if (!found) {
      parts.signInFailed(user, device).catch(() => {});
      return null;
    }
    const sid = await parts.users.addSignIn(found.id, device);
    await parts.signedIn(found, device, "password");
    return { id: found.id, name: found.name, sid };
  } catch (error) {
    throw asCode(error, password);
  }
}

/** next-auth hands the message of an error to the page: only a code may stand in it. */
function asCode(error: unknown, secret?: string): Error {
  if (isAppError(error)) return new Error(error.code);
  console.error(`[auth] sign-in failed: ${describeError(error, [secret])}`);
  return new Error("internal");
}

/** The person behind verified claims; `user` becomes them. */
async function federate({ oidc, ...parts }: AuthParts, user: User, claims: unknown): Promise<void> {
  const device = deviceOf(parts.userAgent);
  const found = await oidc?.sso.signIn(claims, device).catch((error: unknown) => {
    throw asCode(error);
  });
  if (!found?.ok) throw new Error(found?.problem ?? "internal");
  const { id, name } = found.user;
  Object.assign(user, { id, name, sid: found.sid });
  await parts.signedIn(found.user, device, "single_sign_on");
}

/** One cookie of ours: readable by the server alone, sent along on top-level navigation only. */
const cookie = (name: string, secure: boolean) => ({
  name,
  options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure },
});

export function authOptions(parts: AuthParts): NextAuthOptions {
  return {
    secret: parts.secret,
    session: { strategy: "jwt", maxAge: LIFETIME_S },
    useSecureCookies: parts.secure,
    // No other name may begin with that of the session: next-auth takes such cookies for pieces of it.
    cookies: {
      sessionToken: cookie(SESSION_COOKIE, parts.secure),
      callbackUrl: cookie(CALLBACK_COOKIE, parts.secure),
      csrfToken: cookie("penguin_csrf", parts.secure),
      pkceCodeVerifier: cookie("penguin_oidc_pkce", parts.secure),
      state: cookie(STATE_COOKIE, parts.secure),
      nonce: cookie("penguin_oidc_nonce", parts.secure),
    },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/sign-in" },
    providers: [
      Credentials({
        name: "password",
        credentials: { user: { type: "text" }, password: { type: "password" } },
        authorize: (given) => authorize(parts, given),
      }),
      ...(parts.oidc ? [parts.oidc.provider] : []),
    ],
    callbacks: {
      async signIn({ user, account, profile }) {
        if (account?.provider === OIDC_ID) await federate(parts, user, profile);
        return true;
      },
      async jwt({ token, user }) {
        if (user) return { sub: user.id, sid: "sid" in user && typeof user.sid === "string" ? user.sid : "" };
        const live = await parts.users.signedIn(token.sub ?? "", typeof token.sid === "string" ? token.sid : "");
        // next-auth then takes the cookie away.
        if (!live) throw new Error("signed out");
        return token;
      },
      async session({ session, token }) {
        const user = token.sub ? await parts.users.get(token.sub) : null;
        return { ...session, user: user ? { id: user.id, name: user.name } : undefined };
      },
      /** Only back to our own pages. */
      redirect: ({ url, baseUrl }) => ownAddress(url, baseUrl),
    },
    events: {
      async signOut({ token }) {
        if (!token?.sub || typeof token.sid !== "string") return;
        await parts.users.endSignIn(token.sub, token.sid);
        parts.signedOut(token.sub, token.sid);
      },
    },
    logger: { error: say, warn: () => {}, debug: () => {} },
  };
}
