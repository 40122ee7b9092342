/** `npm run trace -- check FILE…`: what is odd in Trace files, and whether their Sessions would resume. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { bundle } from "./bundle.mjs";

const [what, ...files] = process.argv.slice(2);
if (what !== "check" || files.length === 0) {
  console.error("Usage: npm run trace -- check FILE…");
  process.exit(2);
}
const { folder, module } = await bundle("scripts/trace/main.ts");
const paths = files.map((file) => resolve(process.env.INIT_CWD ?? ".", file));
const { status } = spawnSync(process.execPath, [module, ...paths], { stdio: "inherit" });
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 2);
