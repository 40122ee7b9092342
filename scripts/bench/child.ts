/** What runs in a process of its own: `node --expose-gc child.mjs <what> <argument>`, answers one line of JSON. */
import { appendFloor, appendWriter } from "./append";
import { bareServer, channel } from "./channel";
import { generate, replayFloor, replayStore } from "./replay";

const [what = "", argument = ""] = process.argv.slice(2);
const jobs: Record<string, (argument: string) => unknown> = {
  "append-floor": (folder) => appendFloor(folder),
  "append-writer": (folder) => appendWriter(folder),
  generate: (text) => generate(text),
  "replay-floor": (path) => replayFloor(path),
  bare: (providerPort) => bareServer(providerPort),
  channel: (sessions) => channel(sessions),
  "replay-store": (root) => replayStore(root),
};
const job = jobs[what];
if (!job) throw new Error(`unknown job ${what}`);
console.log(JSON.stringify(await job(argument)));
