/** Request bodies: the right content type, bounded while reading, JSON, then the schema. */
import type { z } from "zod";
import { AppError } from "../lib/api/errors";
import { discardRest } from "../lib/discard-rest";

export const MIB = 1024 * 1024;

/** `application/json; charset=utf-8` -> `application/json`; null when there is none. */
export function mediaType(headers: Headers): string | null {
  return headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() || null;
}

/** The whole body. Throws `payload_too_large`. */
export async function readBounded(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw new AppError("payload_too_large");
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      void discardRest(reader);
      throw new AppError("payload_too_large");
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, size);
}

/** First issue as a sentence, all of them (at most 10) in the details. Values are never repeated. */
function refuse(error: z.ZodError): AppError {
  const issues = error.issues.slice(0, 10).map(({ path, message }) => ({ path: path.join("."), message }));
  const first = issues[0];
  const sentence = first ? `${first.path ? `${first.path}: ` : ""}${first.message}` : undefined;
  return new AppError("bad_request", sentence, { issues });
}

export function parseWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw refuse(parsed.error);
  return parsed.data;
}

/** The parsed body. Throws `payload_too_large`, `invalid_json` or `bad_request`. */
export async function readJson<T>(request: Request, schema: z.ZodType<T>, maxBytes: number): Promise<T> {
  const bytes = await readBounded(request, maxBytes);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new AppError("invalid_json");
  }
  return parseWith(schema, value);
}
