/**
 * `npm start`: installs and builds when that is needed, then serves in this very process, so that one signal ends
 * everything. Flags: --port, --host. Uses only Node's own modules until packages are installed.
 */
import { ensureBuilt, ensureInstalled, requireNode } from "./setup.mjs";

// Before anything that an older Node could not even load.
requireNode();
const { checkPort, checkRoot, readAddress, runNext } = await import("./serve.mjs");

const address = readAddress();
checkRoot();
await checkPort(address);
ensureInstalled();
ensureBuilt();
// Installing and building take a while: somebody may have come first.
checkRoot();
await checkPort(address);
process.env.NODE_ENV = "production";
await runNext("start", address);
