/** Reads a streamed answer of JSON lines, value by value. Throws `ApiError`, or what the signal says. */
import { ApiError, networkFailure, readResult } from "./client";

export async function* readLines<T>(url: string, signal: AbortSignal): AsyncGenerator<T> {
  const response = await fetch(url, { cache: "no-store", credentials: "same-origin", signal }).catch((error) => {
    if (signal.aborted) throw error;
    throw new ApiError(networkFailure());
  });
  if (!response.ok || !response.body) {
    const result = await readResult<never>(response);
    throw new ApiError(result.ok ? networkFailure() : result.error);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      if (signal.aborted) throw error;
      throw new ApiError(networkFailure());
    });
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield JSON.parse(line) as T;
    if (done) return;
  }
}
