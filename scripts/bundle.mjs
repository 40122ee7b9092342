/** TypeScript of this repository and its packages as one module that plain node runs. */
import { mkdtempSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { projectDir } from "./setup.mjs";

/**
 * Bundles `entry` (relative to the project) into a fresh folder from which native packages resolve.
 * Returns that folder, to be removed by the caller, and the module in it.
 */
export async function bundle(entry) {
  // The spawner's program is found from the project's folder.
  process.chdir(projectDir);
  const cache = join(projectDir, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "penguin-bare-"));
  await build({
    root: projectDir,
    configFile: false,
    logLevel: "error",
    // One file loads in a third of the time that hundreds of small ones take.
    ssr: { noExternal: true, external: ["@node-rs/argon2"] },
    build: {
      ssr: join(projectDir, entry),
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      rollupOptions: { output: { entryFileNames: "main.mjs", format: "es" } },
    },
  });
  return { folder, module: join(folder, "main.mjs") };
}
