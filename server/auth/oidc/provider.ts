/**
 * The OpenID provider as next-auth wants it: code flow with PKCE, state and nonce, each in a cookie of its own; the ID
 * token verified against the keys of the provider before anything in it is believed.
 */

import type { OAuthConfig } from "next-auth/providers/oauth";
import type { SsoProblem } from "../../../lib/api/team-values";
import { logWords, redact } from "../../redact";
import type { Endpoints } from "./discovery";
import type { OidcSettings } from "./settings";

/** Its name in addresses: the redirect URI ends with `/api/auth/callback/oidc`. */
export const OIDC_ID = "oidc";

/** One way to the provider and back: why it failed, once that is known. */
export interface SsoFlow {
  problem?: SsoProblem;
}

/** `endpoints` null: nothing is asked of the provider in this request. */
export function oidcProvider(
  { issuer, clientId, clientSecret, name, scope }: OidcSettings,
  endpoints: Endpoints | null,
  flow: SsoFlow,
): OAuthConfig<unknown> {
  const provider = { id: OIDC_ID, name, type: "oauth" as const, issuer: endpoints?.issuer ?? issuer, clientId };
  const profile = (claims: unknown) => ({ id: subOf(claims) });
  if (!endpoints) return { ...provider, profile };
  return {
    ...provider,
    clientSecret,
    profile,
    checks: ["pkce", "state", "nonce"],
    idToken: true,
    client: {
      token_endpoint_auth_method: clientSecret ? endpoints.authMethod : "none",
      id_token_signed_response_alg: endpoints.alg,
    },
    httpOptions: { timeout: 8_000 },
    jwks_endpoint: endpoints.jwks,
    authorization: { url: endpoints.authorization, params: { scope } },
    token: {
      url: endpoints.token,
      request: ({ provider: { callbackUrl }, params, checks, client }) =>
        noting(flow, async () => ({ tokens: await client.callback(callbackUrl, params, checks) })),
    },
    userinfo: {
      url: endpoints.userinfo ?? "",
      request: ({ tokens, client }) =>
        noting(flow, async () => {
          if (!("claims" in tokens) || typeof tokens.claims !== "function") throw new Error("no ID token");
          const claims: Record<string, unknown> = tokens.claims();
          if (!endpoints.userinfo || !tokens.access_token) return claims;
          // Many providers put names and groups only here. It must speak of the same `sub`.
          const told = await client.userinfo(tokens.access_token);
          if (told.sub !== claims.sub) throw new Error("userinfo speaks of somebody else");
          return { ...told, ...claims };
        }),
    },
  };
}

const subOf = (claims: unknown): string =>
  typeof claims === "object" && claims !== null && "sub" in claims && typeof claims.sub === "string" ? claims.sub : "";

/** Remembers why it failed; next-auth itself tells only that it did. */
async function noting<T>(flow: SsoFlow, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    flow.problem = problemOf(error);
    const words = error instanceof Error ? `${error.name}: ${error.message}` : "failed";
    console.error(`[oidc] ${flow.problem}: ${logWords(redact(words))}`);
    throw error;
  }
}

/** A code or a state that belongs to no sign-in that is going on: a second window, a page opened again, or an attack. */
function problemOf(error: unknown): SsoProblem {
  if (!(error instanceof Error)) return "oidc_invalid";
  const named = "error" in error && typeof error.error === "string" ? error.error : "";
  if (named === "invalid_grant" || /^(checks\.)?state /.test(error.message)) return "oidc_stale";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (/^E[A-Z_]+$/.test(code) || /timed out/.test(error.message)) return "oidc_unreachable";
  return named ? "oidc_provider" : "oidc_invalid";
}
