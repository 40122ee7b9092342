/** A .tar.gz, unpacked piece by piece beside the event loop: what is small and unpacks to very much holds nobody up. */
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";

const PIECE_BYTES = 64 * 1024;

/** The archive in it; throws when it is no gzip, is cut off, or holds gzip again. */
export async function* unzipped(path: string): AsyncGenerator<Buffer> {
  const source = createReadStream(path, { highWaterMark: PIECE_BYTES });
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  source.on("error", (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  /** Until it is long enough to tell what it is. */
  let head: Buffer | null = Buffer.alloc(0);
  try {
    for await (const piece of gunzip) {
      const chunk: Buffer = head ? Buffer.concat([head, piece]) : piece;
      if (head && chunk.length < 2) {
        head = chunk;
        continue;
      }
      if (head && chunk[0] === 0x1f && chunk[1] === 0x8b) throw new Error("it is packed twice");
      head = null;
      yield chunk;
    }
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}
