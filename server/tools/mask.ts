/** Vault values in the bytes of a file (AC3). */
import { StreamMask } from "../../lib/mask";

/** A file's bytes without vault values, one character per byte, so that nothing else changes. */
export async function* maskedBytes(
  pieces: AsyncIterable<Uint8Array>,
  secrets: Iterable<string>,
): AsyncGenerator<Uint8Array> {
  const mask = new StreamMask(Array.from(secrets, (secret) => Buffer.from(secret).toString("latin1")));
  for await (const piece of pieces) {
    const shown = mask.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("latin1"));
    if (shown !== "") yield Buffer.from(shown, "latin1");
  }
  const rest = mask.flush();
  if (rest !== "") yield Buffer.from(rest, "latin1");
}
