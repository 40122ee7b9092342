/** `npm run dev`: the development server on the same address and data root as `npm start`. */
import { ensureInstalled, requireNode } from "./setup.mjs";

requireNode();
const { checkPort, checkRoot, readAddress, runNext } = await import("./serve.mjs");

const address = readAddress();
checkRoot();
await checkPort(address);
ensureInstalled();
await runNext("dev", address);
