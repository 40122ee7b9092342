/** A real OpenID provider (oidc-provider) with a sign-in page of one field; who is in which group is up to the test. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import Provider, { type Context } from "oidc-provider";

export const CLIENT_ID = "penguin";
export const CLIENT_SECRET = "a-secret-of-the-client-for-tests";
const SCOPES = "openid profile email groups";
const CLAIMS = {
  openid: ["sub"],
  profile: ["name", "preferred_username"],
  email: ["email"],
  groups: ["groups"],
};

export interface Account {
  name?: string;
  preferred_username?: string;
  email?: string;
  groups?: unknown;
}

/** A new one each time. */
const signingKey = (part: "privateKey" | "publicKey") => ({
  ...generateKeyPairSync("rsa", { modulusLength: 2048 })[part].export({ format: "jwk" }),
  kid: "one",
  use: "sig",
  alg: "RS256",
});

const FORM = `<!doctype html><html lang="en"><title>Test ID</title><link rel="icon" href="data:,">
<h1>Test ID</h1><form method="post"><label>Login <input name="login" autofocus></label>
<button name="do" value="go">Go on</button> <button name="do" value="cancel">Cancel</button></form></html>`;

export class TestProvider {
  /** By `sub`, which is what one types on its page. */
  readonly accounts = new Map<string, Account>();
  /** It shows keys that its tokens are not signed with. */
  foreignKeys = false;
  #provider: Provider | undefined;
  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  /** Listens already; `serve` makes it a provider, once it is known where the client lives. */
  static async start(): Promise<TestProvider> {
    const server = createServer((request, response) => made.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const made = new TestProvider(server, `http://127.0.0.1:${address.port}`);
    return made;
  }

  /** Environment of a server that uses it. */
  env(groups: string): Record<string, string> {
    return {
      PENGUIN_OIDC_ISSUER: this.issuer,
      PENGUIN_OIDC_CLIENT_ID: CLIENT_ID,
      PENGUIN_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      PENGUIN_OIDC_NAME: "Test ID",
      PENGUIN_OIDC_SCOPE: SCOPES,
      PENGUIN_OIDC_GROUPS: groups,
    };
  }

  serve(...clientUrls: string[]): void {
    this.#provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: clientUrls.map((url) => `${url}/api/auth/callback/oidc`),
        },
      ],
      jwks: { keys: [signingKey("privateKey")] },
      cookies: { keys: [randomUUID()] },
      scopes: SCOPES.split(" "),
      claims: CLAIMS,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...this.accounts.get(sub) }),
      }),
      loadExistingGrant: async ({ oidc: { client, session } }: Context) => {
        const grant = new this.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope(SCOPES);
        await grant.save();
        return grant;
      },
    });
  }

  private get provider(): Provider {
    if (!this.#provider) throw new Error("serve first");
    return this.#provider;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.foreignKeys && request.url === "/jwks") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ keys: [signingKey("publicKey")] }));
      return;
    }
    if (!request.url?.startsWith("/interaction/")) return this.provider.callback()(request, response);
    if (request.method !== "POST") {
      response.writeHead(200, { "content-type": "text/html" }).end(FORM);
      return;
    }
    let body = "";
    for await (const chunk of request) body += chunk;
    const fields = new URLSearchParams(body);
    const login = fields.get("login") ?? "";
    const result =
      fields.get("do") === "cancel" ? { error: "access_denied" } : { login: { accountId: login, remember: false } };
    await this.provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}
