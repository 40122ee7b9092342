/** Start and end of the server process: the lock, the runtime, the sign-in link, the signals. */
import { isAppError } from "./lib/api/errors";
import { requireRight } from "./server/auth/access";
import { type Person, stillSignedIn } from "./server/auth/person";
import { readConfig } from "./server/config";
import { hideEnvironment } from "./server/environment.mjs";
import { FIRST_ADMIN } from "./server/first-start";
import { removeLeftovers } from "./server/leftovers";
import { takeLock } from "./server/lock.mjs";
import { layout } from "./server/paths";
import { type Runtime, runtime } from "./server/runtime";

/** Between closing the streams and the end: their last bytes are on the way. Milliseconds. */
const LAST_BYTES = 150;
/** How often edits of the files are looked for behind open streams. Milliseconds. */
const SWEEP = 5_000;

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function holdLock(root: string, port: number): void {
  const paths = layout(root);
  const taken = takeLock({ own: paths.serverLock, foreign: paths.foreignLock }, port);
  if (!taken.ok) {
    const { pid, port: other } = taken.holder;
    fail(`Another server (process ${pid}${other ? `, port ${other}` : ""}) already uses the data root ${root}.`);
  }
  process.once("exit", taken.release);
}

async function start(): Promise<Runtime> {
  try {
    return await runtime();
  } catch (error) {
    if (isAppError(error) && error.code === "invalid_password") fail(`PENGUIN_ADMIN_PASSWORD: ${error.message}`);
    return fail(`The server cannot start: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** SIGTERM and SIGINT: closing records first, synchronously; then the streams; then the end. */
function endOnSignal(made: Runtime): void {
  let ending = false;
  const end = (code: number) => {
    if (ending) process.exit(code);
    ending = true;
    made.shutdown();
    setTimeout(() => process.exit(code), LAST_BYTES);
  };
  process.on("SIGTERM", () => end(143));
  process.on("SIGINT", () => end(130));
}

function sweepStreams(made: Runtime): void {
  const allowed = async ({ person, project }: { person: Person; project?: string }) => {
    const now = await stillSignedIn(made.users, made.tokens, person);
    if (!now) return false;
    if (project) await requireRight(made.projects, now, "read", project);
    return true;
  };
  setInterval(() => void made.streams.sweep(allowed), SWEEP).unref();
}

async function sayWhere(made: Runtime): Promise<void> {
  const { config } = made;
  const host = config.host === "0.0.0.0" || config.host === "::" ? "127.0.0.1" : config.host;
  const shown = host.includes(":") ? `[${host}]` : host;
  const address = config.publicUrl?.replace(/\/$/, "") ?? `http://${shown}:${config.port}`;
  console.log(`\nPenguinHarness: ${address}`);
  const admin = await made.users.get(FIRST_ADMIN);
  if (admin && !admin.has_password) {
    const token = made.link.make(FIRST_ADMIN);
    console.log(`Sign in as ${FIRST_ADMIN} (once, within 10 minutes): ${address}/sign-in/link#${token}\n`);
  }
}

export async function boot(): Promise<void> {
  // next-auth takes the address from the headers that proxy.ts writes, and from nowhere else.
  process.env.AUTH_TRUST_HOST = "true";
  delete process.env.NEXTAUTH_URL;
  // Commands that are not isolated run as the same user and could read it.
  hideEnvironment();
  const config = readConfig();
  holdLock(config.root, config.port);
  // Older files only: nothing has to wait for it.
  void removeLeftovers(layout(config.root));
  const made = await start();
  // Nothing waits for it; the first page wants to know.
  made.isolation.peek();
  endOnSignal(made);
  sweepStreams(made);
  await sayWhere(made);
}
