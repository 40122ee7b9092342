import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { publicAddress } from "@/server/auth/forwarded";
import { refusal, refuseAuthRequest } from "@/server/auth/gate";
import { OIDC_ID, oidcProvider, type SsoFlow } from "@/server/auth/oidc/provider";
import { againAfter, problemAtProvider } from "@/server/auth/oidc/way-back";
import { type AuthParts, authOptions } from "@/server/auth/options";
import { secureAnswer } from "@/server/auth/security-headers";
import { describeError } from "@/server/redact";
import { type Runtime, runtime } from "@/server/runtime";

type Context = { params: Promise<{ nextauth: string[] }> };

function partsOf(made: Runtime, request: NextRequest): AuthParts {
  return {
    users: made.users,
    throttle: made.throttle,
    secret: made.secret,
    secure: publicAddress(request.headers, made.config).proto === "https",
    userAgent: request.headers.get("user-agent"),
    signedIn: (user, device, how) => writeSignIn(made, user, { action: "sign_in", ...(device ? { device } : {}), how }),
    signInFailed: async (id, device) => {
      // What nobody is called may be a password in the wrong field.
      const user = await made.users.get(id);
      if (user) await writeSignIn(made, user, { action: "sign_in.failed", ...(device ? { device } : {}) });
    },
    signedOut: (user, sid) => made.streams.close(({ person }) => person.id === user && person.sid === sid),
  };
}

/** In the server's log, and in those of the person's Projects. */
async function writeSignIn(
  { audit, projects }: Runtime,
  user: { id: string; admin: boolean },
  act: { action: string; [detail: string]: unknown },
): Promise<void> {
  const entry = { by: user.id, ...act };
  await audit.write(entry);
  await Promise.all((await projects.of(user)).map(({ id }) => audit.write(entry, id)));
}

/** Sign-in, sign-out and their CSRF token are next-auth's; what it must not be asked is refused before. */
async function respond(request: NextRequest, context: Context, made: Runtime): Promise<Response> {
  const { nextauth } = await context.params;
  const [action, provider] = nextauth;
  const refused = refuseAuthRequest(request, nextauth, made.config);
  if (refused) return refused;
  const parts = partsOf(made, request);
  const { sso } = made;
  if (!sso) return NextAuth(request, context, authOptions(parts));
  const flow: SsoFlow = {};
  const atProvider = provider === OIDC_ID && action === (request.method === "POST" ? "signin" : "callback");
  if (!atProvider) {
    const oidc = { provider: oidcProvider(sso.settings, null, flow), sso };
    return NextAuth(request, context, authOptions({ ...parts, oidc }));
  }
  const told = action === "callback" ? problemAtProvider(request) : undefined;
  if (told) return againAfter(request, told);
  const endpoints = await sso.discovery.endpoints();
  if (!endpoints) return againAfter(request, "oidc_unreachable");
  const oidc = { provider: oidcProvider(sso.settings, endpoints, flow), sso };
  const response: Response = await NextAuth(request, context, authOptions({ ...parts, oidc }));
  return againAfter(request, flow.problem, response);
}

/** A body that is no JSON is the client's; anything else is ours. */
function failed(error: unknown): Response {
  if (error instanceof SyntaxError) return refusal("invalid_json");
  console.error(`[auth] failed: ${describeError(error)}`);
  return refusal("internal");
}

async function answer(request: NextRequest, context: Context): Promise<Response> {
  const made = await runtime();
  const response = await respond(request, context, made).catch(failed);
  response.headers.set("cache-control", "private, no-store");
  secureAnswer(response, publicAddress(request.headers, made.config));
  return response;
}

export { answer as GET, answer as POST };
