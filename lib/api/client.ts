/** Typed fetch for the browser. Expected failures are values; nothing here throws except `ask`, for query libraries. */
import { ERRORS, type ErrorCode } from "./errors";

/** A refusal of the server, or of the network (`status` 0, code `network`). */
export interface ApiFailure {
  status: number;
  code: ErrorCode | "network";
  message: string;
  details: Record<string, unknown>;
}
export type Result<T> = { ok: true; data: T } | { ok: false; error: ApiFailure };

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a failed request looks like to react-query and error boundaries. */
export class ApiError extends Error {
  constructor(readonly failure: ApiFailure) {
    super(failure.message);
  }
}

/** One request with a JSON body. 204 gives `undefined` as data: use `Result<undefined>` there. */
export async function send<T>(
  method: Method,
  url: string,
  body?: unknown,
  options: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Result<T>> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      cache: "no-store",
      credentials: "same-origin",
      headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...options.headers },
      // A mutation without content still declares JSON: the server asks for it against forged requests.
      ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
      ...(method !== "GET" && body === undefined
        ? { headers: { "Content-Type": "application/json", ...options.headers } }
        : {}),
      signal: options.signal,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { ok: false, error: networkFailure() };
  }
  return readResult<T>(response);
}

/** Turns a Response into a value; also used for uploads. */
export async function readResult<T>(response: Response): Promise<Result<T>> {
  const text = await response.text().catch(() => "");
  return resultOf<T>(response.status, text);
}

/** The same for a status and a body text. */
export function resultOf<T>(status: number, text: string): Result<T> {
  const parsed = parseJson(text);
  if (status >= 200 && status < 300) return { ok: true, data: parsed as T };
  return { ok: false, error: failureOf(status, parsed) };
}

/** GET for query libraries: throws `ApiError`. */
export async function ask<T>(url: string, signal?: AbortSignal): Promise<T> {
  const result = await send<T>("GET", url, undefined, { signal });
  if (result.ok) return result.data;
  throw new ApiError(result.error);
}

/** What was answered last, by address: asked again with its ETag, it costs next to nothing. */
const remembered = new Map<string, { etag: string; data: unknown }>();

/** GET of what is asked again and again: the same object as before while nothing changed. Throws `ApiError`. */
export async function askIfChanged<T>(url: string, signal?: AbortSignal): Promise<T> {
  const before = remembered.get(url);
  const headers = before ? { "If-None-Match": before.etag } : undefined;
  const response = await fetch(url, { cache: "no-store", credentials: "same-origin", headers, signal }).catch(
    (error) => {
      if (signal?.aborted) throw error;
      throw new ApiError(networkFailure());
    },
  );
  if (response.status === 304 && before) return before.data as T;
  const result = await readResult<T>(response);
  if (!result.ok) throw new ApiError(result.error);
  const etag = response.headers.get("etag");
  if (etag) remembered.set(url, { etag, data: result.data });
  return result.data;
}

/** GET of a body that must stay as it is, such as a line of a Trace: throws `ApiError`. */
export async function askText(url: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(url, { cache: "no-store", credentials: "same-origin", signal }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new ApiError(networkFailure());
  });
  const text = await response.text();
  if (response.ok) return text;
  throw new ApiError(failureOf(response.status, parseJson(text)));
}

export function networkFailure(): ApiFailure {
  return { status: 0, code: "network", message: "The server cannot be reached.", details: {} };
}

/** The failure inside an unknown error value. */
export function failureFrom(error: unknown): ApiFailure {
  if (error instanceof ApiError) return error.failure;
  return { status: 0, code: "internal", message: error instanceof Error ? error.message : String(error), details: {} };
}

function failureOf(status: number, body: unknown): ApiFailure {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const code = typeof error.code === "string" && error.code in ERRORS ? (error.code as ErrorCode) : codeOf(status);
  return {
    status,
    code,
    message: typeof error.message === "string" ? error.message : ERRORS[code][1],
    details: isObject(error.details) ? error.details : {},
  };
}

/** For answers that are not ours (a proxy's error page). */
function codeOf(status: number): ErrorCode {
  const known: Record<number, ErrorCode> = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    413: "payload_too_large",
    429: "too_many_attempts",
    503: "shutting_down",
  };
  return known[status] ?? (status >= 500 ? "internal" : "bad_request");
}

function parseJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
