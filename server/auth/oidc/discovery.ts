/** Where the provider's endpoints are: asked of the provider, remembered for a while. */
import { z } from "zod";

const url = z.url({ protocol: /^https?$/ });
const document = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: url,
  token_endpoint: url,
  jwks_uri: url,
  userinfo_endpoint: url.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
});

export interface Endpoints {
  /** As the provider spells it. */
  issuer: string;
  authorization: string;
  token: string;
  jwks: string;
  userinfo?: string;
  /** How the client proves who it is, when it has a secret. */
  authMethod: "client_secret_basic" | "client_secret_post";
  /** What ID tokens are signed with: RS256 unless the provider cannot. Never a shared secret, never nothing. */
  alg: string;
}

/** Milliseconds. */
const KEEP = 10 * 60_000;
const PATIENCE = 8_000;
const SIGNED = ["RS256", "ES256", "PS256", "EdDSA", "RS384", "ES384", "PS384", "RS512", "ES512", "PS512"];

const bare = (issuer: string) => issuer.replace(/\/$/, "");

export class Discovery {
  #known: { endpoints: Endpoints; until: number } | null = null;
  #asking: Promise<Endpoints | null> | null = null;

  constructor(private readonly issuer: string) {}

  /** null: the provider does not answer, or is somebody else; the log says why. */
  endpoints(): Promise<Endpoints | null> {
    if (this.#known && Date.now() < this.#known.until) return Promise.resolve(this.#known.endpoints);
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<Endpoints | null> {
    try {
      const address = `${bare(this.issuer)}/.well-known/openid-configuration`;
      const answer = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const endpoints = read(await answer.json(), this.issuer);
      this.#known = { endpoints, until: Date.now() + KEEP };
      return endpoints;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      console.error(`[oidc] ${this.issuer} cannot be used: ${cause instanceof Error ? cause.message : "no answer"}`);
      return null;
    }
  }
}

function read(given: unknown, issuer: string): Endpoints {
  const parsed = document.safeParse(given);
  if (!parsed.success) throw new Error("its openid-configuration is not valid");
  const found = parsed.data;
  if (bare(found.issuer) !== bare(issuer)) throw new Error("its openid-configuration names another issuer");
  // A provider over https never sends anybody to plain http.
  const endpoints = [found.authorization_endpoint, found.token_endpoint, found.jwks_uri, found.userinfo_endpoint];
  if (issuer.startsWith("https:") && endpoints.some((one) => one?.startsWith("http:"))) {
    throw new Error("its openid-configuration names an endpoint that is not https");
  }
  const algs = found.id_token_signing_alg_values_supported ?? ["RS256"];
  const alg = SIGNED.find((known) => algs.includes(known));
  if (!alg) throw new Error("it signs ID tokens in no way that can be checked");
  const methods = found.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const post = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
  return {
    issuer: found.issuer,
    authorization: found.authorization_endpoint,
    token: found.token_endpoint,
    jwks: found.jwks_uri,
    userinfo: found.userinfo_endpoint,
    authMethod: post ? "client_secret_post" : "client_secret_basic",
    alg,
  };
}
