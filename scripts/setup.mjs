/** What `npm start` and `npm test` need before they can run. Uses only Node's own modules: it runs before the install. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectDir = dirname(dirname(fileURLToPath(import.meta.url)));
const MIN_NODE = [20, 19];
const INSTALL_STAMP = join(projectDir, "node_modules", ".install-stamp");
const BUILD_STAMP = join(projectDir, ".next", ".build-stamp");
const BUILD_INPUTS = ["app", "components", "lib", "server", "public"];

/** Ends the process with one clear sentence. */
export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Refuses a Node that is too old. */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [wantMajor, wantMinor] = MIN_NODE;
  if (major < wantMajor || (major === wantMajor && minor < wantMinor)) {
    fail(
      `Node.js ${wantMajor}.${wantMinor} or newer is needed, this is ${version}. Install a newer Node.js and run the command again.`,
    );
  }
}

function run(command, args, what) {
  const { status, error } = spawnSync(command, args, {
    cwd: projectDir,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (error || status !== 0)
    fail(`${what} failed${error ? `: ${error.message}` : ""}. The lines above name the cause.`);
}

const readOrEmpty = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");

/** Installs the locked packages unless this lock was already installed for this Node. */
export function ensureInstalled() {
  const lock = readFileSync(join(projectDir, "package-lock.json"));
  const stamp = `${createHash("sha256").update(lock).digest("hex")} ${process.versions.modules}\n`;
  if (readOrEmpty(INSTALL_STAMP) === stamp) return;
  console.log("Installing packages …");
  run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"], "npm ci");
  writeFileSync(INSTALL_STAMP, stamp);
}

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Changes whenever a file that goes into the build was added, removed or touched. */
function buildStamp() {
  const hash = createHash("sha256").update(readOrEmpty(INSTALL_STAMP));
  const top = readdirSync(projectDir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|json)$/.test(entry.name) && entry.name !== "next-env.d.ts")
    .map((entry) => join(projectDir, entry.name));
  const inputs = BUILD_INPUTS.map((name) => join(projectDir, name)).filter((path) => existsSync(path));
  for (const path of [...top, ...inputs.flatMap((folder) => [...filesBelow(folder)])].sort()) {
    if (/\.test\.tsx?$|tsbuildinfo$/.test(path)) continue;
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return `${hash.digest("hex")}\n`;
}

/** Builds the app unless the last build saw the same sources. */
export function ensureBuilt() {
  // The compiler adds this file by itself; made here so that the stamp does not change under it.
  if (existsSync(join(projectDir, ".next", "BUILD_ID")) && readOrEmpty(BUILD_STAMP) === buildStamp()) return;
  console.log("Building …");
  const before = buildStamp();
  run(process.execPath, [join(projectDir, "node_modules/next/dist/bin/next"), "build"], "The build");
  mkdirSync(dirname(BUILD_STAMP), { recursive: true });
  writeFileSync(BUILD_STAMP, before);
}

/** Path of a Chromium; installs the system's package when there is none and this is a Debian run as root. */
export function ensureChromium() {
  const known = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = () => known.find((path) => path && existsSync(path));
  if (!found() && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Chromium from the system's packages …");
    const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
    for (const args of [
      ["update", "-qq"],
      ["install", "-y", "-qq", "--no-install-recommends", "chromium"],
    ]) {
      const [command, ...rest] = [...sudo, "apt-get", ...args];
      spawnSync(command, rest, {
        stdio: ["ignore", "ignore", "inherit"],
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
    }
  }
  return (
    found() ??
    fail("No Chromium was found for the browser tests. Install the package chromium, or set CHROMIUM to its path.")
  );
}
