/**
 * Every route handler under `app/api` is made here: authenticate -> authorise -> same origin -> parse -> run ->
 * Response. The only catch of the routes. A route without a right cannot be written.
 */
import { z } from "zod";
import { AppError, ERRORS, type ErrorBody, errorBody, isAppError } from "../lib/api/errors";
import type { Role } from "../lib/api/schemas";
import { isSessionId } from "../lib/trace/name";
import { type Right, requireRight } from "./auth/access";
import { publicAddress } from "./auth/forwarded";
import { isSameOrigin } from "./auth/origin";
import { bearerToken, cookieValue, type Person, personOfBearer, personOfToken, SESSION_COOKIE } from "./auth/person";
import { secureAnswer } from "./auth/security-headers";
import { MIB, mediaType, parseWith, readJson } from "./body";
import { diskFull } from "./files";
import { isGenericId, isUserId } from "./paths";
import { describeError } from "./redact";
import { type Runtime, runtime } from "./runtime";

export const TRACE_TYPE = "application/x-ndjson";
export const FILE_TYPE = "application/octet-stream";
export const BUNDLE_TYPE = "application/gzip";

interface Spec<P extends string, B, Q> {
  /** Names of the dynamic segments, in order. `project`, `agent`, `session` and `user` are checked: 404 if malformed. */
  params?: readonly P[];
  /** Schema of a JSON body; without one the body is not read. */
  body?: z.ZodType<B>;
  /** Schema of the query, every value a string. Unknown parameters are ignored unless the schema is strict. */
  query?: z.ZodType<Q>;
  /** The handler reads the body itself, which is declared as `application/x-ndjson` (true) or as this type. */
  raw?: boolean | typeof FILE_TYPE | typeof BUNDLE_TYPE;
  /** Limit of a JSON body. Default 2 MiB. */
  maxBytes?: number;
  /**
   * What a personal access token may do here. Absent: with the rights `read` and `work` what its scopes say, with
   * others nothing. `never`: a person's own affairs. `approve`: needs that scope too. `list`: the route shows only
   * what the token covers.
   */
  tokens?: "never" | "approve" | "list";
}

export interface Context<P extends string, B, Q> {
  request: Request;
  params: Record<P, string>;
  body: B;
  query: Q;
  runtime: Runtime;
}
export interface SignedIn<P extends string, B, Q> extends Context<P, B, Q> {
  person: Person;
  /** Role in the Project of the path; null for routes outside of one. */
  role: Role | null;
}

type NextContext<P extends string> = { params: Promise<Record<P, string>> };
type Route<P extends string> = (request: Request, context: NextContext<P>) => Promise<Response>;

/** A JSON answer. */
export function json(data: unknown, status = 200, headers?: Record<string, string>): Response {
  return Response.json(data, { status, headers });
}
export const noContent = () => new Response(null, { status: 204 });

/** A route for signed-in people with this right. */
export function handle<const P extends string = never, B = undefined, Q = Record<string, string>>(
  spec: Spec<P, B, Q> & { right: Right },
  run: (context: SignedIn<P, B, Q>) => Promise<Response> | Response,
): Route<P> {
  return (request, next) =>
    answer(request, async () => {
      const made = await runtime();
      const person = await authenticate(request, made);
      const params = await checkedParams<P>(next);
      const named: Partial<Record<string, string>> = params;
      const right = person.token && spec.tokens === "list" ? null : spec.right;
      const role = right && (await requireRight(made.projects, person, right, named.project));
      refuseToken(person, spec.tokens);
      await requireAgent(made, named);
      refuseForgery(request, spec, person.token ? null : made);
      const context = { ...(await parsed(request, spec, params, made)), person, role };
      try {
        return await run(context);
      } catch (error) {
        // It went while this was on its way: what does not work in it any more is nobody's fault.
        const gone = named.project !== undefined && !isAppError(error) && !(await made.projects.exists(named.project));
        throw gone ? new AppError("not_found") : error;
      }
    });
}

/** A route for everybody. Each one is listed in the access test. */
export function handlePublic<const P extends string = never, B = undefined, Q = Record<string, string>>(
  spec: Spec<P, B, Q>,
  run: (context: Context<P, B, Q>) => Promise<Response> | Response,
): Route<P> {
  return (request, next) =>
    answer(request, async () => {
      const made = await runtime();
      const params = await checkedParams<P>(next);
      refuseForgery(request, spec, made);
      return run(await parsed(request, spec, params, made));
    });
}

function refuseToken({ token }: Person, rule: Spec<string, unknown, unknown>["tokens"]): void {
  if (!token) return;
  if (rule === "never" || (rule === "approve" && !token.scopes.includes("approve"))) {
    throw new AppError("forbidden", "This access token does not have the right to do this.");
  }
}

/** Who is signed in in this browser, for a public route; null: nobody. */
export function visitor(request: Request, made: Runtime): Promise<Person | null> {
  const token = cookieValue(request.headers.get("cookie"), SESSION_COOKIE);
  return personOfToken(made.users, made.secret, token);
}

async function authenticate(request: Request, made: Runtime): Promise<Person> {
  const bearer = bearerToken(request.headers.get("authorization"));
  if (bearer !== undefined) {
    const person = await personOfBearer(made.tokens, bearer);
    if (person) return person;
    // It decides alone: a cookie beside it is not asked.
    throw new AppError("unauthorized", "The access token is wrong, expired or revoked.");
  }
  const person = await visitor(request, made);
  if (!person) throw new AppError("unauthorized");
  return person;
}

const ID_RULES: Record<string, (id: string) => boolean> = {
  project: isGenericId,
  agent: isGenericId,
  session: isSessionId,
  user: isUserId,
};

async function checkedParams<P extends string>(next: NextContext<P> | undefined): Promise<Record<P, string>> {
  const params = ((await next?.params) ?? {}) as Record<P, string>;
  for (const [name, value] of Object.entries<string>(params)) {
    if (!(ID_RULES[name]?.(value) ?? true)) throw new AppError("not_found");
  }
  return params;
}

/** An Agent of the path must exist, whatever the route does with it. */
async function requireAgent(made: Runtime, params: Partial<Record<string, string>>): Promise<void> {
  const { project, agent } = params;
  if (project === undefined || agent === undefined) return;
  if (!(await made.agents.exists({ project, agent }))) throw new AppError("not_found");
}

/** Mutations come from our own pages, as JSON or as a declared upload. `made` null: no browser sends this by itself. */
function refuseForgery(request: Request, spec: Spec<string, unknown, unknown>, made: Runtime | null): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (made && !isSameOrigin(request.headers, made.config)) throw new AppError("cross_origin");
  const type = mediaType(request.headers);
  if (spec.raw) {
    const wanted = spec.raw === true ? TRACE_TYPE : spec.raw;
    if (type !== wanted) throw new AppError("unsupported_media_type", `Send the file as ${wanted}.`);
    return;
  }
  const bodyless = !spec.body && type === null;
  if (!bodyless && type !== "application/json") throw new AppError("unsupported_media_type");
}

const anyQuery = z.record(z.string(), z.string());

async function parsed<P extends string, B, Q>(
  request: Request,
  spec: Spec<P, B, Q>,
  params: Record<P, string>,
  made: Runtime,
): Promise<Context<P, B, Q>> {
  const given = Object.fromEntries(new URL(request.url).searchParams);
  // Without a schema B is undefined and Q a plain record: the defaults of the type parameters.
  const query = parseWith((spec.query ?? anyQuery) as z.ZodType<Q>, given);
  const body = spec.body ? await readJson(request, spec.body, spec.maxBytes ?? 2 * MIB) : (undefined as B);
  return { request, params, body, query, runtime: made };
}

async function answer(request: Request, run: () => Promise<Response>): Promise<Response> {
  let response: Response;
  try {
    response = await run();
  } catch (error) {
    response = failed(request, error);
  }
  if (request.method === "HEAD" || request.signal.aborted) response = await withoutBody(response);
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "private, no-store");
  const made = await runtime().catch(() => null);
  if (made) secureAnswer(response, publicAddress(request.headers, made.config));
  return response;
}

/** HEAD runs what GET does, and who asked may be gone: nobody would read the body, or close what it reads from. */
async function withoutBody({ body, status, statusText, headers }: Response): Promise<Response> {
  await body?.cancel().catch(() => {});
  return new Response(null, { status, statusText, headers });
}

const SECRETS = ["PENGUIN_ADMIN_PASSWORD", "PENGUIN_OIDC_CLIENT_SECRET", "AUTH_SECRET", "NEXTAUTH_SECRET"];
const knownSecrets = () => SECRETS.map((name) => process.env[name]);

function failed(request: Request, error: unknown): Response {
  if (isAppError(error)) {
    const status = ERRORS[error.code][0];
    return json(errorBody(error), status);
  }
  const code = diskFull(error) ? "disk_full" : "internal";
  // No query and no body, and not the token of a share link: none can carry a secret into the log.
  const path = new URL(request.url).pathname.replace(/^\/share\/.*/, "/share/…");
  console.error(`[http] ${request.method} ${path} failed: ${describeError(error, knownSecrets())}`);
  const body: ErrorBody = { error: { code, message: ERRORS[code][1] } };
  return json(body, ERRORS[code][0]);
}
