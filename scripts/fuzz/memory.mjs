// @ts-check
/** Preloaded into the server by `npm run fuzz`: at SIGUSR2 the garbage is collected and what is left written down. */
import { writeFileSync } from "node:fs";

const path = process.env.FUZZ_MEMORY;
process.on("SIGUSR2", () => {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  if (path) writeFileSync(path, JSON.stringify({ heap: heapUsed + external, rss }));
});
