/** Of a body that is refused in the middle. Bytes. */
const MOST = 64 * 1024 * 1024;

/**
 * Reads on to the end and keeps nothing: a connection on which the rest of a body lies unread carries no further
 * request, and the browser's next one would wait for it. Of what is too much the connection is given up. Never rejects.
 */
export async function discardRest(reader: ReadableStreamDefaultReader<Uint8Array>, most = MOST): Promise<void> {
  try {
    for (let bytes = 0; bytes <= most; ) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // Whoever sent it is gone.
  }
}
